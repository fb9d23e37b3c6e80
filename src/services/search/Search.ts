import { Context, Effect, Layer, Mailbox, Stream } from "effect"
import { type KindAnswer, type SearchAnswer, type UnifiedAnswer } from "../../domain/Answer.ts"
import { type FieldProblem, type InvalidParameters, type SearchError } from "../../domain/Failure.ts"
import { type QueryOf, type UnifiedQuery } from "../../domain/Query.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { Engines } from "../engine/Engines.ts"
import { noteOutcomes, noteQuery } from "../logging/RequestRecord.ts"
import { backendProblems } from "./Backend.ts"
import { type KindSearch, makeKindSearch } from "./KindSearch.ts"
import { receiptsOf, unified } from "./Unified.ts"
import { Settings } from "../settings/Settings.ts"

/** Searches one kind, or all five at once. */
export class Search extends Context.Tag("quarry/Search")<
  Search,
  {
    /** Queries the engines of a kind and fuses their answers, within `SEARCH_TIMEOUT`. */
    readonly run: <K extends SearchKind>(
      kind: K,
      query: QueryOf[K]
    ) => Effect.Effect<SearchAnswer<K>, SearchError | InvalidParameters>
    /**
     * Searches the five kinds in parallel; fails only when all of them fail. Calls `tell` with each kind as it
     * completes.
     */
    readonly all: (
      query: UnifiedQuery,
      tell?: (part: KindAnswer) => Effect.Effect<void>
    ) => Effect.Effect<UnifiedAnswer, SearchError>
    /** Emits each kind as it completes; fails after the last one when all of them failed. */
    readonly stream: (query: UnifiedQuery) => Stream.Stream<KindAnswer, SearchError>
    /** The problems of a `backend` value for a kind; empty when it is valid. */
    readonly backendProblems: (kind: SearchKind, backend: string) => ReadonlyArray<FieldProblem>
  }
>() {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function* () {
      const engines = yield* Engines
      const settings = yield* Settings
      const make = <K extends SearchKind>(kind: K) => makeKindSearch(kind, engines, settings)
      const searches: { readonly [K in SearchKind]: KindSearch<K> } = {
        text: make("text"),
        images: make("images"),
        videos: make("videos"),
        news: make("news"),
        books: make("books")
      }
      const run: Search["Type"]["run"] = (kind, query) =>
        noteQuery(query.q).pipe(
          Effect.zipRight(searches[kind](query)),
          Effect.tapBoth({
            onFailure: (failure) =>
              "sources" in failure ? noteOutcomes(kind, receiptsOf(failure.sources)) : Effect.void,
            onSuccess: ({ sources }) => noteOutcomes(kind, sources)
          })
        )
      const everything = unified(run)
      return {
        run,
        all: (query, tell = () => Effect.void) => everything(query, tell),
        stream: (query) =>
          Stream.unwrapScoped(
            Effect.gen(function* () {
              const parts = yield* Mailbox.make<KindAnswer, SearchError>()
              yield* everything(query, (part) => parts.offer(part)).pipe(Mailbox.into(parts), Effect.forkScoped)
              return Mailbox.toStream(parts)
            })
          ),
        backendProblems: (kind, backend) =>
          backendProblems(
            backend,
            engines.forKind(kind).map(({ engine }) => engine.name)
          )
      }
    })
  )
}
