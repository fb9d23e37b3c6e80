import { runMain } from "@effect/platform-node/NodeRuntime"
import { layer as platform } from "@effect/platform-node/NodeWorkerRunner"
import { launch, layer as runnerOf } from "@effect/platform/WorkerRunner"
import { Effect, Layer } from "effect"
import { platform as system, setPriority } from "node:os"
import { workerData } from "node:worker_threads"
import { extractDocument } from "./services/Extractor/Extraction.ts"
import { type Job } from "./services/Extractor/Workers.ts"

/** Linux takes the priority for the calling thread alone, others for the whole process (setpriority(2), "Bugs"). */
const stepBack = Effect.ignore(Effect.try(() => (system() === "linux" ? setPriority(Number(workerData)) : undefined)))

const runner = runnerOf(({ document, format, most, piece }: Job) => extractDocument(document, format, piece, most))

runMain(Effect.zipRight(stepBack, launch(Layer.provide(runner, platform))), {
  disableErrorReporting: true,
  disablePrettyLogger: true
})
