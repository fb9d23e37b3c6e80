import { Context, Effect, Layer } from "effect"
import { type ContentFormat } from "../../domain/Content.ts"
import { type Busy, type Extracted, type Piece, type RawDocument, type ReadFailure, wholeText } from "./dom/Document.ts"
import { extractDocument } from "./worker/Extraction.ts"
import { makeWorkers, workerFile, type WorkerLimits } from "./worker/Workers.ts"

/** Turns a fetched document into its main text, or a piece of that. */
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
   * On the calling thread, which is held up for as long as a document takes, but for its own budgets: for programs that
   * have no thread to spare or are bundled without the worker's file.
   */
  static readonly layerInThread = Layer.succeed(this, {
    extract: Effect.fn("Extractor.extract")((document, format, piece = wholeText) =>
      extractDocument(document, format, piece)
    )
  })

  /** In worker threads of this file, made when they are needed and ended with the Layer. */
  static readonly layerOf = (file: URL, limits?: WorkerLimits) =>
    Layer.scoped(
      this,
      Effect.map(makeWorkers(file, limits), (extract) => ({
        extract: Effect.fn("Extractor.extract")((document, format, piece = wholeText) =>
          extract(document, format, piece)
        )
      }))
    )

  /** In worker threads, where the worker's file was built; else on the calling thread, and the log says so. */
  static readonly layer = Layer.unwrapEffect(
    Effect.gen(this, function* () {
      const file = workerFile()
      if (file !== null) return this.layerOf(file)
      yield* Effect.logWarning("dist/extraction-worker.js is not there: pages are read on the main thread.")
      return this.layerInThread
    })
  )
}
