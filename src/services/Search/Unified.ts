import { Clock, Effect, Either } from "effect"
import { type SearchAnswer, type UnifiedAnswer, type UnifiedItem } from "../../domain/Answer.ts"
import { envelopeOf } from "../../domain/Envelope.ts"
import { type InvalidParameters, SearchFailed, type SearchError, SearchTimedOut } from "../../domain/Failure.ts"
import { type KindReceipt, type KindReceipts, type SourceReceipt, type Sources } from "../../domain/Outcome.ts"
import { type QueryOf, type TimeLimit, type UnifiedQuery } from "../../domain/Query.ts"
import { itemTypes, type SearchKind } from "../../domain/SearchKind.ts"

type Run = <K extends SearchKind>(
  kind: K,
  query: QueryOf[K]
) => Effect.Effect<SearchAnswer<K>, SearchError | InvalidParameters>

const yearMs = 365 * 24 * 3_600_000

const withoutYear = (timelimit: TimeLimit | undefined) => (timelimit === "y" ? undefined : timelimit)

/** What one kind did, and how long it took, failed or not. */
const timed = <A, E>(search: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const result = yield* Effect.either(search)
    return { result, tookMs: (yield* Clock.currentTimeMillis) - started }
  })

interface Timed<K extends SearchKind> {
  readonly result: Either.Either<SearchAnswer<K>, SearchError | InvalidParameters>
  readonly tookMs: number
}

const enginesOf = (failure: SearchError | InvalidParameters): ReadonlyArray<SourceReceipt> =>
  failure._tag !== "InvalidParameters" && isList(failure.sources) ? failure.sources : []

const isList = (sources: Sources): sources is ReadonlyArray<SourceReceipt> => Array.isArray(sources)

const receipt = <K extends SearchKind>({ result, tookMs }: Timed<K>, kept: number): KindReceipt =>
  Either.match(result, {
    onLeft: (failure) => {
      const { details, error } = envelopeOf(failure)
      return {
        results_count: 0,
        took_ms: tookMs,
        error: { error, details },
        engines: enginesOf(failure)
      }
    },
    onRight: (answer) => ({ results_count: kept, took_ms: tookMs, error: null, engines: answer.sources })
  })

const itemsOf = <K extends SearchKind>({ result }: Timed<K>): SearchAnswer<K>["results"] =>
  Either.match(result, { onLeft: () => [], onRight: (answer) => answer.results })

/** The unified search (contract, section 2): one kind failing never fails the rest. */
export const unified = (run: Run) =>
  Effect.fn("Search.all")(function* (query: UnifiedQuery) {
    const started = yield* Clock.currentTimeMillis
    const shared = { q: query.q, page: 1, max_results: query.max_results_per_type }
    const located = { ...shared, region: query.region, safesearch: query.safesearch }
    const limit = query.timelimit === undefined ? {} : { timelimit: query.timelimit }
    const month = withoutYear(query.timelimit)
    const toMonth = month === undefined ? {} : { timelimit: month }

    const { books, images, news, text, videos } = yield* Effect.all(
      {
        text: timed(run("text", { ...located, ...limit, backend: "auto" })),
        images: timed(run("images", { ...located, ...limit })),
        videos: timed(run("videos", { ...located, ...toMonth })),
        news: timed(run("news", { ...located, ...toMonth })),
        books: timed(run("books", { ...shared, backend: "auto" }))
      },
      { concurrency: "unbounded" }
    )

    // Videos and news have no filter for a year: their items' own dates decide; undated ones stay.
    const recent = (date: string | null) =>
      query.timelimit !== "y" || date === null || !(Date.parse(date) < started - yearMs)

    const items = {
      text: itemsOf(text).map((item) => ({ type: itemTypes.text, ...item })),
      images: itemsOf(images).map((item) => ({ type: itemTypes.images, ...item })),
      videos: itemsOf(videos).flatMap((item) => (recent(item.published) ? [{ type: itemTypes.videos, ...item }] : [])),
      news: itemsOf(news).flatMap((item) => (recent(item.date) ? [{ type: itemTypes.news, ...item }] : [])),
      books: itemsOf(books).map((item) => ({ type: itemTypes.books, ...item }))
    }
    const sources: KindReceipts = {
      text: receipt(text, items.text.length),
      images: receipt(images, items.images.length),
      videos: receipt(videos, items.videos.length),
      news: receipt(news, items.news.length),
      books: receipt(books, items.books.length)
    }
    const outcomes = [text.result, images.result, videos.result, news.result, books.result]
    const failures = outcomes.flatMap((result) => (result._tag === "Left" ? [result.left] : []))
    if (failures.length === outcomes.length) {
      return yield* failures.every(({ _tag }) => _tag === "SearchTimedOut")
        ? new SearchTimedOut({ sources })
        : new SearchFailed({ sources })
    }
    const results: ReadonlyArray<UnifiedItem> = [
      ...items.text,
      ...items.images,
      ...items.videos,
      ...items.news,
      ...items.books
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
