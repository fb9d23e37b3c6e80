import { layer as platform } from "@effect/platform-node/NodeWorkerRunner"
import { launch, layer as runnerOf } from "@effect/platform/WorkerRunner"
import { Effect, Layer } from "effect"
import { constants, getPriority, platform as system, setPriority } from "node:os"
import { workerData } from "node:worker_threads"
import { type ContentFormat } from "../../../domain/Content.ts"
import { alwaysAllowedBytes } from "../../http-client/ContentEncoding.ts"
import { type Extracted, type Piece, type RawDocument, type ReadFailure } from "../dom/Document.ts"
import { plainBytes } from "./PlainBytes.ts"
import { grown, type Job } from "./Workers.ts"

/** Reads a decompressed document on the calling thread. */
export type Extract = (
  document: RawDocument,
  format: ContentFormat,
  piece: Piece
) => Effect.Effect<Extracted, ReadFailure>

/**
 * Lowers the priority of this thread. On systems other than Linux, this would affect the whole process (setpriority(2),
 * "Bugs").
 */
const lowerPriority = Effect.ignore(
  Effect.try(() => {
    const distance = Number(workerData)
    if (distance > 0 && system() === "linux")
      setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + distance))
  })
)

/** Runs the jobs of this worker thread until it is terminated. */
export const serveJobs = (extract: Extract) => {
  const runner = runnerOf(
    Effect.fnUntraced(function* ({ document, format, most, piece }: Job) {
      const bytes = yield* plainBytes(document, Math.max(most, alwaysAllowedBytes))
      if (bytes.length > most) return yield* Effect.fail(grown)
      return yield* extract({ ...document, bytes, encoding: "" }, format, piece)
    })
  )
  return Effect.zipRight(lowerPriority, launch(Layer.provide(runner, platform)))
}
