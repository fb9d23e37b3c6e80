import { runMain } from "@effect/platform-node/NodeRuntime"
import { layer as platform } from "@effect/platform-node/NodeWorkerRunner"
import { launch, layer as runnerOf } from "@effect/platform/WorkerRunner"
import { Layer } from "effect"
import { extractDocument } from "./services/Extractor/Extraction.ts"
import { type Job } from "./services/Extractor/Workers.ts"

const runner = runnerOf(({ document, format, piece }: Job) => extractDocument(document, format, piece))

runMain(launch(Layer.provide(runner, platform)), { disableErrorReporting: true, disablePrettyLogger: true })
