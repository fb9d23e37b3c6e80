import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock, TestContext } from "effect"
import * as fc from "fast-check"
import { make } from "../../../src/services/http-client/FairShare.ts"
import { isSlow } from "../../support/Cases.ts"

const settle = Effect.repeatN(Effect.yieldNow(), 200)

/** Work that counts who is inside by client, and stays there until it is let go. */
const workplace = Effect.gen(function* () {
  const inside = new Map<string, number>()
  const gate = yield* Deferred.make<void>()
  const add = (client: string, change: number) =>
    Effect.sync(() => void inside.set(client, (inside.get(client) ?? 0) + change))
  const work = (client: string) =>
    Effect.acquireUseRelease(
      add(client, 1),
      () => Deferred.await(gate),
      () => add(client, -1)
    )
  return { inside, work, open: Deferred.succeed(gate, undefined) }
})

it.effect("a client alone has its part, and there is room for those that come after it", () =>
  Effect.gen(function* () {
    const share = yield* make({ capacity: 90, shareOfFree: 1 / 2 })
    const { inside, open, work } = yield* workplace
    const greedy = yield* Effect.fork(
      Effect.replicateEffect(share("greedy")(work("greedy")), 500, { concurrency: 500 })
    )
    yield* settle
    assert.strictEqual(inside.get("greedy"), 30)
    const others = yield* Effect.forEach(["a", "b", "c"], (client) =>
      Effect.fork(Effect.replicateEffect(share(client)(work(client)), 10, { concurrency: 10 }))
    )
    yield* settle
    assert.deepStrictEqual(Object.fromEntries(inside), { greedy: 30, a: 10, b: 10, c: 10 })
    yield* open
    yield* Fiber.join(greedy)
    yield* Fiber.joinAll(others)
    assert.deepStrictEqual(Object.fromEntries(inside), { greedy: 0, a: 0, b: 0, c: 0 })
  })
)

it.effect("forty greedy clients leave room for one more", () =>
  Effect.gen(function* () {
    const share = yield* make({ capacity: 512, shareOfFree: 1 / 16 })
    const { inside, work } = yield* workplace
    for (let client = 0; client < 40; client++) {
      yield* Effect.fork(Effect.replicateEffect(share(`${client}`)(work(`${client}`)), 40, { concurrency: 40 }))
    }
    yield* settle
    assert.strictEqual(yield* share("late")(Effect.succeed("in")), "in")
    const sum = Array.from(inside.values()).reduce((total, one) => total + one, 0)
    assert.isBelow(sum, 512)
  })
)

it.effect("who waits goes in before those who hold more", () =>
  Effect.gen(function* () {
    const share = yield* make({ capacity: 2, shareOfFree: 10 })
    const order: Array<string> = []
    const take = (client: string) =>
      Effect.fork(
        share(client)(
          Effect.zipRight(
            Effect.sync(() => void order.push(client)),
            Effect.sleep("1 second")
          )
        )
      )
    yield* Effect.forEach(["a", "a", "a", "a", "b"], take)
    yield* Effect.repeatN(Effect.zipRight(settle, TestClock.adjust("1 second")), 5)
    // Of the first two places one is free first; b holds none by then, a holds one.
    assert.deepStrictEqual(order, ["a", "a", "b", "a", "a"])
  })
)

it("never more than there is room for, and whoever comes gets in at last, interrupted or not", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ client: fc.constantFrom("a", "b", "c"), ms: fc.nat(30), gone: fc.option(fc.nat(30)) }), {
        maxLength: 60
      }),
      async (asks) => {
        const most = await Effect.gen(function* () {
          const share = yield* make({ capacity: 4, shareOfFree: 1 })
          const state = { inside: 0, most: 0 }
          const work = (ms: number) =>
            Effect.acquireUseRelease(
              Effect.sync(() => {
                state.most = Math.max(state.most, ++state.inside)
              }),
              () => Effect.sleep(`${ms} millis`),
              () => Effect.sync(() => void state.inside--)
            )
          const fibers = yield* Effect.forEach(asks, ({ client, gone, ms }) => {
            const ask = share(client)(work(ms))
            return Effect.fork(gone === null ? ask : Effect.timeoutOption(ask, `${gone} millis`))
          })
          yield* TestClock.adjust("1 minute")
          yield* Effect.repeatN(Effect.zipRight(settle, TestClock.adjust("1 minute")), 20)
          yield* Fiber.joinAll(fibers)
          assert.strictEqual(state.inside, 0)
          return state.most
        }).pipe(Effect.provide(TestContext.TestContext), Effect.runPromise)
        assert.isAtMost(most, 4)
      }
    ),
    { numRuns: isSlow ? 30 : 3 }
  ))
