import { Array as Arr, Context, Effect, Either, Layer } from "effect"
import { type BatchAnswer, type BatchEntry } from "../../domain/Answer.ts"
import {
  type BatchRequest,
  type ContentDocument,
  type ContentQuery,
  isWebUrl,
  webUrlRule
} from "../../domain/Content.ts"
import { envelopeOf } from "../../domain/Envelope.ts"
import {
  type ContentError,
  FetchFailed,
  FetchTimedOut,
  InvalidParameters,
  UnsupportedContentType
} from "../../domain/Failure.ts"
import { Extractor } from "../extractor/Extractor.ts"
import { type Busy, type ReadFailure } from "../extractor/dom/Document.ts"
import { Fetcher } from "../fetcher/Fetcher.ts"
import { noteTarget } from "../logging/RequestRecord.ts"

/** Concurrent fetches of a batch: all of its URLs. */
const batchConcurrency = 10

/** Maps an extraction failure to an error of the API. `status` is the status code of the target. */
const unread = (failure: ReadFailure | Busy, { timeout, url }: ContentQuery, status: number): ContentError => {
  switch (failure._tag) {
    case "NoText":
      return new UnsupportedContentType({ url, content_type: failure.contentType })
    case "Unreadable":
    case "Undecoded":
      return new FetchFailed({ url, reason: failure.reason, status_code: status })
    case "Busy":
      return new FetchTimedOut({ url, timeout })
  }
}

/** Fetches URLs and returns the requested piece of their main text (contract, section 3). */
export class Content extends Context.Tag("quarry/Content")<
  Content,
  {
    /** Fetches one URL. `timeout` covers the fetch and the extraction. */
    readonly fetch: (query: ContentQuery) => Effect.Effect<ContentDocument, ContentError>
    /**
     * Fetches several URLs. Each succeeds or fails on its own. Results are in request order, and a repeated URL is
     * fetched once. Calls `tell` for each URL as soon as it is done, in completion order.
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

      const read = Effect.fnUntraced(function* (query: ContentQuery) {
        const { format, max_length, offset, url } = query
        const { finalUrl, status, ...body } = yield* fetcher.fetch(url)
        const extracted = yield* extractor
          .extract({ url: finalUrl, ...body }, format, { offset, maxLength: max_length })
          .pipe(Effect.mapError((failure) => unread(failure, query, status)))
        const document: ContentDocument = {
          success: true,
          url,
          final_url: finalUrl,
          status_code: status,
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
          content: extracted.content,
          format,
          content_length: extracted.contentLength,
          returned_length: extracted.returnedLength,
          trimmed: extracted.nextOffset !== null,
          next_offset: extracted.nextOffset,
          truncated_input: extracted.truncatedInput,
          hidden_text: extracted.hiddenText
        }
        return document
      })

      const fetch: Content["Type"]["fetch"] = Effect.fn("Content.fetch")((query) =>
        noteTarget(query.url).pipe(
          Effect.zipRight(read(query)),
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
