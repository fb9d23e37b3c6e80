import { Clock, Effect, Either } from "effect"
import { type KindAnswer, type SearchAnswer, type UnifiedAnswer, type UnifiedItem } from "../../domain/Answer.ts"
import { envelopeOf } from "../../domain/Envelope.ts"
import { type InvalidParameters, SearchFailed, type SearchError, SearchTimedOut } from "../../domain/Failure.ts"
import { type KindReceipt, type KindReceipts, type SourceReceipt, type Sources } from "../../domain/Outcome.ts"
import { type QueryOf, type TimeLimit, type UnifiedQuery } from "../../domain/Query.ts"
import { type ItemOf } from "../../domain/ResultItem.ts"
import { itemTypes, type SearchKind } from "../../domain/SearchKind.ts"

type Run = <K extends SearchKind>(
  kind: K,
  query: QueryOf[K]
) => Effect.Effect<SearchAnswer<K>, SearchError | InvalidParameters>

const yearMs = 365 * 24 * 3_600_000

/** Factor by which more items are requested when their dates are filtered here. */
const yearOverfetch = 5

const withoutYear = (timelimit: TimeLimit | undefined) => (timelimit === "y" ? undefined : timelimit)

const isList = (sources: Sources): sources is ReadonlyArray<SourceReceipt> => Array.isArray(sources)

/** The receipts of a search of one kind; empty for those of a unified search. */
export const receiptsOf = (sources: Sources): ReadonlyArray<SourceReceipt> => (isList(sources) ? sources : [])

const enginesOf = (failure: SearchError | InvalidParameters): ReadonlyArray<SourceReceipt> =>
  failure._tag === "InvalidParameters" ? [] : receiptsOf(failure.sources)

/** The earliest known time for a retry among the failures. */
const retryOf = (failures: ReadonlyArray<SearchError | InvalidParameters>): { readonly retry_after?: number } => {
  const known = failures.flatMap((failure) =>
    failure._tag !== "InvalidParameters" && failure.retry_after !== undefined ? [failure.retry_after] : []
  )
  return known.length === 0 ? {} : { retry_after: Math.min(...known) }
}

const receipt = <K extends SearchKind>(
  result: Either.Either<SearchAnswer<K>, SearchError | InvalidParameters>,
  kept: number,
  tookMs: number
): KindReceipt =>
  Either.match(result, {
    onLeft: (failure) => {
      const { details, error } = envelopeOf(failure)
      return { results_count: 0, took_ms: tookMs, error: { error, details }, engines: enginesOf(failure) }
    },
    onRight: (answer) => ({ results_count: kept, took_ms: tookMs, error: null, engines: answer.sources })
  })

/** Searches one kind. Returns its items, its receipt and its failure, null without one. */
const part = <const K extends SearchKind, Item>(
  run: Run,
  kind: K,
  query: QueryOf[K],
  limit: number,
  itemsOf: (item: ItemOf[K]) => ReadonlyArray<Item>
) =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const result = yield* Effect.either(run(kind, query))
    const tookMs = (yield* Clock.currentTimeMillis) - started
    const results = Either.isRight(result) ? result.right.results.flatMap(itemsOf).slice(0, limit) : []
    return {
      answer: { kind, results, receipt: receipt(result, results.length, tookMs) },
      failure: Either.isLeft(result) ? result.left : null
    }
  })

/**
 * The unified search (contract, section 2). The failure of one kind does not fail the others. Calls `tell` with each
 * kind as soon as it is complete, in any order.
 */
export const unified = (run: Run) =>
  Effect.fn("Search.all")(function* (query: UnifiedQuery, tell: (answer: KindAnswer) => Effect.Effect<unknown>) {
    const started = yield* Clock.currentTimeMillis
    const shared = { q: query.q, page: 1, max_results: query.max_results_per_type }
    const located = { ...shared, region: query.region, safesearch: query.safesearch }
    const most = query.max_results_per_type
    const limit = query.timelimit === undefined ? {} : { timelimit: query.timelimit }
    const month = withoutYear(query.timelimit)
    const toMonth = month === undefined ? {} : { timelimit: month }

    // Videos and news have no filter for a year, so their items are filtered by date here. Undated items are kept.
    const dated = query.timelimit === "y" ? { max_results: Math.min(100, most * yearOverfetch) } : {}
    const isRecent = (date: string | null) =>
      query.timelimit !== "y" || date === null || !(Date.parse(date) < started - yearMs)

    const told = <P extends { readonly answer: KindAnswer }>(search: Effect.Effect<P>) =>
      Effect.tap(search, ({ answer }) => tell(answer))

    const parts = yield* Effect.all(
      {
        text: told(
          part(run, "text", { ...located, ...limit, backend: "auto" }, most, (item) => [
            { type: itemTypes.text, ...item }
          ])
        ),
        images: told(
          part(run, "images", { ...located, ...limit }, most, (item) => [{ type: itemTypes.images, ...item }])
        ),
        videos: told(
          part(run, "videos", { ...located, ...toMonth, ...dated }, most, (item) =>
            isRecent(item.published) ? [{ type: itemTypes.videos, ...item }] : []
          )
        ),
        news: told(
          part(run, "news", { ...located, ...toMonth, ...dated }, most, (item) =>
            isRecent(item.date) ? [{ type: itemTypes.news, ...item }] : []
          )
        ),
        books: told(
          part(run, "books", { ...shared, backend: "auto" }, most, (item) => [{ type: itemTypes.books, ...item }])
        )
      },
      { concurrency: "unbounded" }
    )

    const sources: KindReceipts = {
      text: parts.text.answer.receipt,
      images: parts.images.answer.receipt,
      videos: parts.videos.answer.receipt,
      news: parts.news.answer.receipt,
      books: parts.books.answer.receipt
    }
    const failures = Object.values(parts).map(({ failure }) => failure)
    if (failures.every((failure) => failure !== null)) {
      const failed = { sources, ...retryOf(failures) }
      return yield* failures.every(({ _tag }) => _tag === "SearchTimedOut")
        ? new SearchTimedOut(failed)
        : new SearchFailed(failed)
    }
    const results: ReadonlyArray<UnifiedItem> = [
      ...parts.text.answer.results,
      ...parts.images.answer.results,
      ...parts.videos.answer.results,
      ...parts.news.answer.results,
      ...parts.books.answer.results
    ]
    const answer: UnifiedAnswer = {
      success: true,
      query: query.q,
      results_count: results.length,
      results,
      sources,
      took_ms: (yield* Clock.currentTimeMillis) - started
    }
    return answer
  })
