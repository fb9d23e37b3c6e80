import { Array as Arr, Context, Effect, Either, Layer } from "effect"
import { type BatchAnswer, type BatchEntry } from "../domain/Answer.ts"
import { type BatchRequest, type ContentDocument, type ContentQuery, isWebUrl, webUrlRule } from "../domain/Content.ts"
import { envelopeOf } from "../domain/Envelope.ts"
import { type ContentError, FetchTimedOut, InvalidParameters, UnsupportedContentType } from "../domain/Failure.ts"
import { trim } from "../domain/Trim.ts"
import { trimHtml } from "../domain/TrimHtml.ts"
import { Extractor } from "./Extractor.ts"
import { Fetcher } from "./Fetcher.ts"

/** URLs of a batch fetched at the same time: all of them. */
const batchConcurrency = 10

/** Fetches URLs and gives the piece of their main text that was asked for (contract, section 3). */
export class Content extends Context.Tag("quarry/Content")<
  Content,
  {
    /** One URL; `timeout` runs from the start of the fetch to the end of the extraction. */
    readonly fetch: (query: ContentQuery) => Effect.Effect<ContentDocument, ContentError>
    /**
     * Several, each succeeding or failing alone, in the order asked; a URL named twice is fetched once. `tell` hears of
     * each as soon as it is done, in whatever order that is.
     */
    readonly fetchAll: (
      request: BatchRequest,
      tell?: (entry: BatchEntry) => Effect.Effect<void>
    ) => Effect.Effect<BatchAnswer>
  }
>() {
  static readonly layer = Layer.effect(
    Content,
    Effect.gen(function* () {
      const fetcher = yield* Fetcher
      const extractor = yield* Extractor

      const read = Effect.fnUntraced(function* ({ format, max_length, offset, url }: ContentQuery) {
        const fetched = yield* fetcher.fetch(url)
        const extracted = yield* extractor
          .extract({ url: fetched.finalUrl, contentType: fetched.contentType, bytes: fetched.bytes }, format)
          .pipe(Effect.mapError(({ contentType }) => new UnsupportedContentType({ url, content_type: contentType })))
        const piece = (format === "html" ? trimHtml : trim)(extracted.content, offset, max_length)
        const document: ContentDocument = {
          success: true,
          url,
          final_url: fetched.finalUrl,
          status_code: fetched.status,
          content_type: extracted.contentType,
          title: extracted.title,
          description: extracted.description,
          author: extracted.author,
          published: extracted.published,
          modified: extracted.modified,
          site_name: extracted.site_name,
          language: extracted.language,
          canonical: extracted.canonical,
          image: extracted.image,
          page_kind: extracted.page_kind,
          word_count: extracted.word_count,
          content: piece.content,
          format,
          content_length: piece.contentLength,
          returned_length: piece.returnedLength,
          trimmed: piece.nextOffset !== null,
          next_offset: piece.nextOffset,
          truncated_input: extracted.truncatedInput,
          hidden_text: extracted.hiddenText
        }
        return document
      })

      const fetch: Content["Type"]["fetch"] = Effect.fn("Content.fetch")((query) =>
        read(query).pipe(
          Effect.timeoutFail({
            duration: `${query.timeout} seconds`,
            onTimeout: () => new FetchTimedOut({ url: query.url, timeout: query.timeout })
          })
        )
      )

      const notWebUrl = new InvalidParameters({
        problems: [{ in: "query", field: "url", message: `must be ${webUrlRule}` }]
      })

      const one = (url: string, options: Omit<BatchRequest, "urls">) =>
        Effect.gen(function* () {
          if (!isWebUrl(url)) return yield* notWebUrl
          return yield* fetch({ ...options, url, offset: 0 })
        })

      const entryOf = (url: string, result: Effect.Effect.Success<ReturnType<typeof outcome>>): BatchEntry =>
        Either.match(result, {
          onLeft: (failure): BatchEntry => {
            const { details, error } = envelopeOf(failure)
            return { success: false, url, error, details }
          },
          onRight: (document): BatchEntry => ({ ...document, url })
        })

      const outcome = (url: string, options: Omit<BatchRequest, "urls">) => Effect.either(one(url, options))

      const fetchAll: Content["Type"]["fetchAll"] = Effect.fn("Content.fetchAll")(function* (
        { urls, ...options },
        tell = () => Effect.void
      ) {
        const distinct = Arr.dedupe(urls.map((url) => url.trim()))
        const outcomes = yield* Effect.forEach(
          distinct,
          (url) => Effect.tap(outcome(url, options), (result) => tell(entryOf(url, result))),
          { concurrency: batchConcurrency }
        )
        const byUrl = new Map(Arr.zip(distinct, outcomes))
        const results = urls.flatMap((url) => {
          const result = byUrl.get(url.trim())
          return result === undefined ? [] : [entryOf(url, result)]
        })
        return { success: true as const, results_count: results.length, results }
      })

      return { fetch, fetchAll }
    })
  )
}
