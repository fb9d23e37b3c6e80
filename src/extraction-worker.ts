import { runMain } from "@effect/platform-node/NodeRuntime"
import { layer as platform } from "@effect/platform-node/NodeWorkerRunner"
import { launch, layer as runnerOf } from "@effect/platform/WorkerRunner"
import { Effect, Layer } from "effect"
import { constants, getPriority, platform as system, setPriority } from "node:os"
import { workerData } from "node:worker_threads"
import { extractDocument } from "./services/Extractor/Extraction.ts"
import { plainBytes } from "./services/Extractor/PlainBytes.ts"
import { grown, type Job } from "./services/Extractor/Workers.ts"
import { unsuspicious } from "./services/Outgoing/ContentEncoding.ts"

/** Linux takes a priority for the calling thread alone, others for the whole process (setpriority(2), "Bugs"). */
const stepBack = Effect.ignore(
  Effect.try(() => {
    const distance = Number(workerData)
    if (distance > 0 && system() === "linux")
      setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + distance))
  })
)

const runner = runnerOf(
  Effect.fnUntraced(function* ({ document, format, most, piece }: Job) {
    const bytes = yield* plainBytes(document, Math.max(most, unsuspicious))
    if (bytes.length > most) return yield* Effect.fail(grown)
    return yield* extractDocument({ ...document, bytes, encoding: "" }, format, piece)
  })
)

runMain(Effect.zipRight(stepBack, launch(Layer.provide(runner, platform))), {
  disableErrorReporting: true,
  disablePrettyLogger: true
})
