import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type SearchKind, searchKinds } from "../../src/domain/SearchKind.ts"
import { found, outcomes, search } from "../support/Client.ts"
import { isSlow, sample } from "../support/Cases.ts"
import { serve, upstreamWeb } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { type Upstream } from "../support/upstream/sites.ts"

type Pairs = Readonly<Record<SearchKind, readonly [Upstream, Upstream]>>

/** Of those that a search asks first; no engine twice in a list, because it would rest the second time. */
const pairs: Readonly<Record<string, Pairs>> = {
  "two that welcome programs": {
    text: ["marginalia", "wikipedia"],
    images: ["openverse", "wikimedia"],
    videos: ["dailymotion", "sepiasearch"],
    news: ["googlenews", "gdelt"],
    books: ["openlibrary", "gutendex"]
  },
  "one of each sort": {
    text: ["mwmbl", "mojeek"],
    images: ["openverse", "brave"],
    videos: ["archive", "youtube"],
    news: ["googlenews", "duckduckgo"],
    books: ["openlibrary", "googlebooks"]
  }
}

const faults = [
  { name: "blocked", behaviour: Behaviour.block, outcome: "blocked" },
  { name: "garbled", behaviour: Behaviour.garbage("html"), outcome: "layout_changed" }
] as const

/** A search that two engines spoil is answered in full, and names the two. */
const expectAnswered = (kind: SearchKind, pair: readonly [Upstream, Upstream], outcome: string) =>
  Effect.gen(function* () {
    const answer = yield* search(`/api/search/${kind}`, { q: "bridges that stand" })
    expect(answer.status, kind).toBe(200)
    const { results, sources } = yield* found(answer)
    expect(results, kind).toHaveLength(10)
    expect(outcomes(sources), kind).toMatchObject(Object.fromEntries(pair.map((one) => [one, outcome])))
  })

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("each kind still answers with", (it) => {
  for (const [which, pairOf] of sample(Object.entries(pairs))) {
    for (const { behaviour, name, outcome } of sample(faults)) {
      it.effect(`${which} ${name}, and names them`, () =>
        Effect.gen(function* () {
          const web = yield* TestWeb
          for (const kind of searchKinds) {
            yield* web.behaveAll(Behaviour.generated(30))
            for (const engine of pairOf[kind]) yield* web.behave(engine, behaviour)
            yield* expectAnswered(kind, pairOf[kind], outcome)
          }
        }).pipe(Effect.provide(serve({ SEARCH_TIMEOUT: "60" })))
      )
    }

    // Five servers, which all wait for ten seconds.
    if (!isSlow) continue
    it.effect(`${which} hanging, and names them`, () =>
      Effect.gen(function* () {
        const web = yield* TestWeb
        yield* web.behaveAll(Behaviour.generated(30))
        for (const engine of Object.values(pairOf).flat()) yield* web.behave(engine, Behaviour.hang)
        // All the pairs at once, to wait once; a server each, so that none hears of another's.
        yield* Effect.forEach(
          searchKinds,
          (kind) => Effect.provide(expectAnswered(kind, pairOf[kind], "timeout"), serve()),
          { concurrency: "unbounded" }
        )
      })
    )
  }
})
