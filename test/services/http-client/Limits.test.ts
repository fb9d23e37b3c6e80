import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { make } from "../../../src/services/http-client/Limits.ts"

/** Work that counts who is inside and stays there until it is let go. */
const workplace = Effect.gen(function* () {
  const state = { inside: 0, most: 0 }
  const gate = yield* Deferred.make<void>()
  const work = Effect.gen(function* () {
    state.inside++
    state.most = Math.max(state.most, state.inside)
    yield* Deferred.await(gate)
    state.inside--
  })
  return { state, work, open: Deferred.succeed(gate, undefined) }
})

const settle = Effect.repeatN(Effect.yieldNow(), 50)

it.scoped("lets so many of a host in, and the others after them", () =>
  Effect.gen(function* () {
    const limited = yield* make({ perHost: 2, overall: 100 })
    const { open, state, work } = yield* workplace
    const all = yield* Effect.fork(
      Effect.all(
        Array.from({ length: 7 }, () => limited("a.test")(work)),
        { concurrency: "unbounded" }
      )
    )
    yield* settle
    assert.strictEqual(state.inside, 2)
    yield* open
    yield* Fiber.join(all)
    assert.deepStrictEqual(state, { inside: 0, most: 2 })
  })
)

it.scoped("keeps room for others while a host's queue is long", () =>
  Effect.gen(function* () {
    const limited = yield* make({ perHost: 2, overall: 3 })
    const slow = yield* workplace
    yield* Effect.fork(
      Effect.all(
        Array.from({ length: 9 }, () => limited("slow.test")(slow.work)),
        { concurrency: "unbounded" }
      )
    )
    yield* settle
    assert.strictEqual(yield* limited("fast.test")(Effect.succeed("in")), "in")
  })
)

it.scoped("bounds all hosts together", () =>
  Effect.gen(function* () {
    const limited = yield* make({ perHost: 2, overall: 3 })
    const { open, state, work } = yield* workplace
    const hosts = Array.from({ length: 9 }, (_, index) => `${index}.test`)
    const all = yield* Effect.fork(Effect.forEach(hosts, (host) => limited(host)(work), { concurrency: "unbounded" }))
    yield* settle
    assert.strictEqual(state.inside, 3)
    yield* open
    yield* Fiber.join(all)
  })
)

it.scoped("gives the place of one who was interrupted in the queue to nobody and that of one inside to the next", () =>
  Effect.gen(function* () {
    const limited = yield* make({ perHost: 1, overall: 1 })
    const { work } = yield* workplace
    const inside = yield* Effect.fork(limited("a.test")(work))
    yield* settle
    const waiting = yield* Effect.fork(limited("a.test")(work))
    yield* settle
    yield* Fiber.interrupt(waiting)
    yield* Fiber.interrupt(inside)
    assert.strictEqual(yield* limited("a.test")(Effect.succeed("in")), "in")
  })
)
