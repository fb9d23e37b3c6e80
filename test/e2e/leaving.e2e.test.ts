import { expect, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { found, newClient, search } from "../support/Client.ts"
import { only, quarry } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { type Upstream } from "../support/upstream/sites.ts"

/** Few enough to be asked all at once. */
const asked: ReadonlyArray<Upstream> = ["wikipedia", "mojeek", "openverse", "youtube", "googlenews", "openlibrary"]

/** Waits until a client's budget tells that the service has taken another request of this client. */
const spentBesides = (from: string) =>
  Effect.gen(function* () {
    for (let asked = 1; ; asked++) {
      const { headers } = yield* search("/api/search/books", { q: "" }, { from })
      const spent = Number(headers.get("x-ratelimit-limit")) - Number(headers.get("x-ratelimit-remaining"))
      if (spent > asked) return
      expect(spent).toBe(asked)
      yield* Effect.sleep("100 millis")
    }
  })

layer(quarry({ SEARCH_TIMEOUT: "60", ...only(...asked, "gutendex") }), {
  excludeTestServices: true,
  timeout: "30 seconds"
})("a client", (it) => {
  it.effect("that goes away is not searched for any longer", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.hang)
      const leaving = yield* Effect.fork(search("/api/search/all", { q: "a bridge to nobody" }))
      yield* Effect.forEach(asked, (engine) => web.arrived(engine, 1), { concurrency: "unbounded" })
      yield* Fiber.interrupt(leaving)
      yield* Effect.forEach(yield* web.requests(), ({ over }) => over)
      yield* web.behaveAll(Behaviour.generated(3))
      expect((yield* search("/api/search/all", { q: "a bridge to nobody" })).status).toBe(200)
    })
  )

  it.effect("that goes away takes nothing from another one who asks the same", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const { open, opened } = Behaviour.gate()
      yield* web.behaveAll(Behaviour.held(opened, Behaviour.generated(3)))
      yield* web.forget
      const leaving = yield* Effect.fork(search("/api/search/books", { q: "a bridge for two" }))
      yield* web.arrived("openlibrary", 1)
      const from = newClient()
      const staying = yield* Effect.fork(search("/api/search/books", { q: "a bridge for two" }, { from }))
      yield* spentBesides(from)
      yield* Fiber.interrupt(leaving)
      yield* open
      const { results } = yield* Effect.flatMap(Fiber.join(staying), found)
      expect(results).toHaveLength(6)
    })
  )
})
