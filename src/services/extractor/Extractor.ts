import { Context, Effect, Layer } from "effect"
import { type ContentFormat } from "../../domain/Content.ts"
import { type Busy, type Extracted, type Piece, type RawDocument, type ReadFailure, wholeText } from "./dom/Document.ts"
import { extractDocument } from "./worker/Extraction.ts"
import { makeWorkers, workerFile, type WorkerLimits } from "./worker/Workers.ts"

/** Extracts the main text of a fetched document, or a piece of it. */
export class Extractor extends Context.Tag("quarry/Extractor")<
  Extractor,
  {
    readonly extract: (
      document: RawDocument,
      format: ContentFormat,
      piece?: Piece
    ) => Effect.Effect<Extracted, ReadFailure | Busy>
  }
>() {
  /**
   * Runs on the calling thread. A document blocks that thread until it is read or its time budgets are spent. For
   * programs that cannot use another thread or are bundled without the worker file.
   */
  static readonly layerInThread = Layer.succeed(this, {
    extract: Effect.fn("Extractor.extract")((document, format, piece = wholeText) =>
      extractDocument(document, format, piece)
    )
  })

  /** Runs in worker threads of this file. The threads start on demand and end with the Layer. */
  static readonly layerOf = (file: URL, limits?: WorkerLimits) =>
    Layer.scoped(
      this,
      Effect.map(makeWorkers(file, limits), (extract) => ({
        extract: Effect.fn("Extractor.extract")((document, format, piece = wholeText) =>
          extract(document, format, piece)
        )
      }))
    )

  /** Runs in worker threads if the worker file is built. Otherwise logs a warning and runs on the calling thread. */
  static readonly layer = Layer.unwrapEffect(
    Effect.gen(this, function* () {
      const file = workerFile()
      if (file !== null) return this.layerOf(file)
      yield* Effect.logWarning("dist/extraction-worker.js is not there: pages are read on the main thread.")
      return this.layerInThread
    })
  )
}
