import * as fc from "effect/FastCheck"
import { expect, it } from "vitest"
import { EngineFailure } from "../../../../../src/domain/EngineReport.ts"
import { longestRest } from "../../../../../src/services/engine/runtime/health/Schedule.ts"
import {
  admit,
  type Admission,
  distrusted,
  type EngineState,
  failed,
  fresh,
  isWithinRest,
  isResting,
  release,
  succeeded,
  type Ticket
} from "../../../../../src/services/engine/runtime/health/State.ts"
import { percentile } from "../../../../../src/services/engine/runtime/health/Tally.ts"

const second = 1_000
const minute = 60 * second

interface Answer {
  readonly outcome: EngineFailure | "ok" | "empty"
  readonly status?: number
  readonly retryAfterMs?: number
  readonly jitter?: number
}

const ask = (state: EngineState, now: number, named = false): readonly [Admission, EngineState] =>
  admit(state, undefined, { named, timeLeftMs: 10_000 }, now)

const ticketOf = (admission: Admission): Ticket => {
  if (admission._tag === "Refused") throw new Error(`refused: ${admission.fault}`)
  return admission.ticket
}

const end = (state: EngineState, ticket: Ticket, answer: Answer, now: number): EngineState => {
  const { jitter = 0, outcome, retryAfterMs = null, status = null } = answer
  return outcome === "ok" || outcome === "empty"
    ? succeeded(state, ticket, { outcome, tookMs: 100 })
    : failed(state, ticket, { outcome, status, retryAfterMs }, now, jitter)
}

/** Asks and is answered, each time just when it may; what it rests after each answer, in seconds. */
const restsAfter = (answers: ReadonlyArray<Answer>): ReadonlyArray<number | null> => {
  let state = fresh
  let now = 1_000_000
  return answers.map((answer) => {
    now = Math.max(now + 1, state.rest?.until ?? 0)
    const [admission, asked] = ask(state, now)
    state = end(asked, ticketOf(admission), answer, now)
    return state.rest === null ? null : (state.rest.until - now) / second
  })
}

const times = (answer: Answer, count: number): ReadonlyArray<Answer> => Array.from({ length: count }, () => answer)

it("rests longer with each fault in a row, up to a bound", () => {
  expect(restsAfter(times({ outcome: "blocked" }, 7))).toEqual([180, 360, 720, 1440, 2880, 3600, 3600])
  expect(restsAfter(times({ outcome: "rate_limited" }, 7))).toEqual([60, 120, 240, 480, 960, 1800, 1800])
  expect(restsAfter(times({ outcome: "timeout" }, 7))).toEqual([15, 30, 60, 120, 240, 300, 300])
})

it("rests for a broken connection from the second in a row on, whatever breaks it", () => {
  const broken: ReadonlyArray<Answer> = [
    { outcome: "connect_error" },
    { outcome: "dns_error" },
    { outcome: "tls_error" },
    { outcome: "http_status", status: 503 },
    { outcome: "connect_error" },
    { outcome: "connect_error" },
    { outcome: "connect_error" }
  ]
  expect(restsAfter(broken)).toEqual([null, 30, 60, 120, 240, 300, 300])
  expect(restsAfter(times({ outcome: "http_status", status: 404 }, 3))).toEqual([null, null, null])
})

it.each(["layout_changed", "proxy_error", "unsupported"] as const)("does not rest for %s", (outcome) => {
  expect(restsAfter(times({ outcome }, 3))).toEqual([null, null, null])
})

it("ends a series with a good answer, and with nothing else", () => {
  const blocked: Answer = { outcome: "blocked" }
  expect(restsAfter([blocked, blocked, { outcome: "ok" }, blocked])).toEqual([180, 360, null, 180])
  expect(restsAfter([blocked, { outcome: "empty" }, blocked])).toEqual([180, null, 180])
  expect(
    restsAfter([{ outcome: "connect_error" }, { outcome: "layout_changed" }, { outcome: "connect_error" }])
  ).toEqual([null, null, 30])
})

it("rests longer when a probe fails, in whatever way", () => {
  const blocked: Answer = { outcome: "blocked" }
  expect(restsAfter([blocked, { outcome: "timeout" }, blocked])).toEqual([180, 360, 720])
  expect(restsAfter([blocked, { outcome: "layout_changed" }])).toEqual([180, 360])
  expect(restsAfter([{ outcome: "timeout" }, blocked])).toEqual([15, 180])
})

it("leaves the probe to the next when the way to the engine fails", () => {
  const [admission, asked] = ask(fresh, 0)
  const resting = end(asked, ticketOf(admission), { outcome: "blocked" }, 0)
  const [probe, probing] = ask(resting, 3 * minute)
  const after = end(probing, ticketOf(probe), { outcome: "proxy_error" }, 3 * minute)
  expect(after.rest).toEqual(resting.rest)
  expect(ask(after, 3 * minute)[0]._tag).toBe("Admitted")
})

it("varies a rest by a fifth", () => {
  expect(restsAfter([{ outcome: "blocked", jitter: 1 }])).toEqual([216])
  expect(restsAfter([{ outcome: "blocked", jitter: -1 }])).toEqual([144])
})

it("returns exactly when a rate limit says, for an hour at most", () => {
  const limited = (seconds: number): Answer => ({
    outcome: "rate_limited",
    retryAfterMs: seconds * second,
    jitter: -1
  })
  expect(restsAfter([limited(5), limited(5), limited(120), limited(86_400)])).toEqual([5, 5, 120, 3600])
})

it("rests no shorter than another refusal says", () => {
  expect(restsAfter([{ outcome: "blocked", retryAfterMs: 600 * second }])).toEqual([600])
  expect(restsAfter([{ outcome: "blocked", retryAfterMs: 5 * second }])).toEqual([180])
})

it("counts one trouble that hits several requests once", () => {
  const [first, one] = ask(fresh, 0)
  const [second_, two] = ask(one, 0)
  const [third, three] = ask(two, 0)
  const blocked = end(three, ticketOf(first), { outcome: "blocked" }, 1_000)
  expect(end(blocked, ticketOf(second_), { outcome: "blocked" }, 1_000).rest).toEqual(blocked.rest)
  expect(end(blocked, ticketOf(third), { outcome: "ok" }, 2_000).rest).toEqual(blocked.rest)
})

it("lets one probe out when the rest is over, and others after it was answered well", () => {
  const [admission, asked] = ask(fresh, 0)
  const resting = end(asked, ticketOf(admission), { outcome: "blocked" }, 0)
  expect(ask(resting, 3 * minute - 1)[0]).toEqual({ _tag: "Refused", fault: "suspended" })
  expect(isResting(resting, 3 * minute - 1)).toBe(true)
  expect(isResting(resting, 3 * minute)).toBe(false)
  const [probe, probing] = ask(resting, 3 * minute)
  expect(isResting(probing, 3 * minute)).toBe(true)
  expect(ask(probing, 3 * minute)[0]).toEqual({ _tag: "Refused", fault: "suspended" })
  expect(ask(probing, 3 * minute, true)[0]).toEqual({ _tag: "Refused", fault: "suspended" })
  expect(ask(release(probing, ticketOf(probe), true), 3 * minute)[0]._tag).toBe("Admitted")
  const back = end(probing, ticketOf(probe), { outcome: "empty" }, 3 * minute)
  expect(back.rest).toBeNull()
  expect(ask(back, 3 * minute)[0]._tag).toBe("Admitted")
})

it("asks a resting engine by name once a minute", () => {
  const [admission, asked] = ask(fresh, 0)
  const resting = end(asked, ticketOf(admission), { outcome: "blocked" }, 0)
  const [one, named] = ask(resting, 1_000, true)
  expect(one._tag).toBe("Admitted")
  expect(ask(named, 1_000 + minute - 1, true)[0]).toEqual({ _tag: "Refused", fault: "suspended" })
  expect(ask(named, 1_000 + minute, true)[0]._tag).toBe("Admitted")
  expect(ask(release(named, ticketOf(one), false), 2_000, true)[0]._tag).toBe("Admitted")
  expect(end(named, ticketOf(one), { outcome: "ok" }, 2_000).rest).toBeNull()
  expect(end(named, ticketOf(one), { outcome: "timeout" }, 2_000).rest).toEqual(resting.rest)
})

it("rests from the second irrelevant answer in a row on, longer each time", () => {
  let state = fresh
  let now = 0
  const rests: Array<number> = []
  const answered = () => {
    now = Math.max(now + 1, state.rest?.until ?? 0)
    const [admission, asked] = ask(state, now)
    state = end(asked, ticketOf(admission), { outcome: "ok" }, now)
  }
  const distrust = () => {
    state = distrusted(state, now, 0)
    rests.push(((state.rest?.until ?? now) - now) / minute)
  }
  for (let round = 0; round < 5; round += 1) {
    answered()
    distrust()
  }
  answered()
  answered()
  distrust()
  expect(rests).toEqual([0, 5, 10, 20, 40, 0])
  expect(state.tally).toMatchObject({ successes: 1, failures: { irrelevant: 6 } })
})

it("tells the median and the 95th percentile of the last hundred answers", () => {
  let state = fresh
  for (let tookMs = 1; tookMs <= 200; tookMs += 1) {
    const [admission, asked] = ask(state, tookMs)
    state = succeeded(asked, ticketOf(admission), { outcome: "ok", tookMs })
  }
  expect([percentile(state.tally, 0.5), percentile(state.tally, 0.95)]).toEqual([150, 195])
  expect(percentile(fresh.tally, 0.5)).toBeNull()
})

type Event =
  | { readonly _tag: "Ask"; readonly named: boolean }
  | { readonly _tag: "End"; readonly which: number; readonly answer: Required<Answer> }
  | { readonly _tag: "Release"; readonly which: number; readonly wasSent: boolean }
  | { readonly _tag: "Distrust"; readonly jitter: number }
  | { readonly _tag: "Wait"; readonly ms: number }

const jitters = fc.double({ min: -1, max: 1, noNaN: true })
const whichever = fc.nat(5)
const events: fc.Arbitrary<ReadonlyArray<Event>> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Ask" as const), named: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        _tag: fc.constant("End" as const),
        which: whichever,
        answer: fc.record({
          outcome: fc.constantFrom("ok" as const, "empty" as const, ...EngineFailure.literals),
          status: fc.constantFrom(200, 404, 429, 503),
          retryAfterMs: fc.nat(10_000_000),
          jitter: jitters
        })
      })
    },
    fc.record({ _tag: fc.constant("Release" as const), which: whichever, wasSent: fc.boolean() }),
    fc.record({ _tag: fc.constant("Distrust" as const), jitter: jitters }),
    {
      weight: 3,
      arbitrary: fc.record({
        _tag: fc.constant("Wait" as const),
        ms: fc.oneof(fc.nat(60_000), fc.nat(5_000_000))
      })
    }
  ),
  { maxLength: 100 }
)

it("keeps every rest ahead and bounded, one probe at a time and a minute between named asks, whatever happens", () => {
  fc.assert(
    fc.property(events, (happening) => {
      let state = fresh
      let now = 1_000_000
      let underWay: ReadonlyArray<{ readonly ticket: Ticket; readonly isProbe: boolean }> = []
      let namedAt = -Infinity
      for (const event of happening) {
        const before = state
        switch (event._tag) {
          case "Wait":
            now += event.ms
            break
          case "Distrust":
            state = distrusted(state, now, event.jitter)
            break
          case "Ask": {
            const [admission, after] = ask(state, now, event.named)
            state = after
            if (admission._tag === "Refused") {
              expect(state).toBe(before)
              break
            }
            const isProbe = before.rest !== null && !isWithinRest(before, now)
            if (isWithinRest(before, now)) {
              expect(event.named).toBe(true)
              if (before.namedAt !== null) expect(now - namedAt).toBeGreaterThanOrEqual(minute)
              namedAt = now
            }
            // A rest that was ended by another answer meanwhile has a probe of its own.
            if (isProbe) expect(underWay.filter((one) => one.isProbe && one.ticket.number === before.probe)).toEqual([])
            underWay = [...underWay, { ticket: admission.ticket, isProbe }]
            break
          }
          case "End":
          case "Release": {
            const ended = underWay[event.which]
            if (ended === undefined) break
            underWay = underWay.filter((one) => one !== ended)
            state =
              event._tag === "End"
                ? end(state, ended.ticket, event.answer, now)
                : release(state, ended.ticket, event.wasSent)
            expect(state.probe).not.toBe(ended.ticket.number)
          }
        }
        if (state.rest !== null && state.rest !== before.rest) {
          expect(state.rest.until).toBeGreaterThan(now)
          expect(state.rest.until - now).toBeLessThanOrEqual(Math.ceil(longestRest))
          expect(state.rest.until).toBeGreaterThan(before.rest?.until ?? 0)
          expect(state.rest.since).toBeLessThanOrEqual(now)
          expect(state.rest.level).toBeGreaterThanOrEqual(1)
        }
        if (state.probe !== null) expect(underWay.map(({ ticket }) => ticket.number)).toContain(state.probe)
        expect(Object.values(state.tally.failures).every((count) => count >= 0)).toBe(true)
        expect(state.tally.latencies.length).toBeLessThanOrEqual(100)
      }
    }),
    { numRuns: 1_000 }
  )
})

it("lets no more asks be under way at once than an engine minds, but for those who name it", () => {
  const pace = { perMinute: 60, burst: 10, maxConcurrent: 1 }
  const asked = (state: EngineState, named = false) => admit(state, pace, { named, timeLeftMs: 10_000 }, 0)
  for (const answer of [{ outcome: "ok" }, { outcome: "layout_changed" }] as const) {
    const [first, busy] = asked(fresh)
    expect(asked(busy)[0]).toEqual({ _tag: "Refused", fault: "paced" })
    expect(asked(busy, true)[0]._tag).toBe("Admitted")
    expect(asked(end(busy, ticketOf(first), answer, 1))[0]._tag).toBe("Admitted")
    expect(asked(release(busy, ticketOf(first), false))[0]._tag).toBe("Admitted")
  }
})
