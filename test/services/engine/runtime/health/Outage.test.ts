import { expect, it } from "vitest"
import {
  answered,
  confirmed,
  type ConnectionFailure,
  type ConnectionFault,
  failedToConnect,
  noOutage,
  type Outage
} from "../../../../../src/services/engine/runtime/health/Outage.ts"
import { fresh } from "../../../../../src/services/engine/runtime/health/State.ts"

const failure = (engine: string, at: number, fault: ConnectionFault = "connect_error"): ConnectionFailure => ({
  engine,
  fault,
  at,
  before: fresh,
  after: fresh,
  blow: {
    ticket: { number: 1, at, waitMs: 0 },
    isProbe: false,
    failure: { outcome: fault, status: null, retryAfterMs: null },
    at,
    jitter: 0
  }
})

const after = (...failures: ReadonlyArray<ConnectionFailure>): Outage =>
  failures.reduce((outage, one) => failedToConnect(outage, one).outage, noOutage)

const message = (outage: Outage): string | null => confirmed(outage, 0, 0).warning?.message ?? null

it("spares two engines that fail within a second, and takes back what the first was given", () => {
  const first = failure("a", 0)
  const again = failure("a", 400)
  const last = failedToConnect(after(first, again), failure("b", 1_000))
  expect([last.isSpared, last.takenBack]).toEqual([true, [again, first]])
  const further = failedToConnect(last.outage, failure("a", 90_000))
  expect([further.isSpared, further.takenBack]).toEqual([true, []])
})

it("holds failures against one engine, and against two that are more than a second apart", () => {
  expect(failedToConnect(after(failure("a", 0), failure("a", 10)), failure("a", 20)).isSpared).toBe(false)
  expect(failedToConnect(after(failure("a", 0)), failure("b", 1_001)).isSpared).toBe(false)
})

it("holds failures against their engines where one has answered in between", () => {
  const { outage } = answered(after(failure("a", 0)))
  expect(failedToConnect(outage, failure("b", 10)).isSpared).toBe(false)
})

it("is down when nobody is left who could answer, or nobody has for a second", () => {
  const suspected = after(failure("a", 0), failure("b", 5))
  expect(confirmed(suspected, 3, 999).outage.isDown).toBe(false)
  expect(confirmed(suspected, 0, 5).outage.isDown).toBe(true)
  expect(confirmed(suspected, 3, 1_000).outage.isDown).toBe(true)
  expect(confirmed(after(failure("a", 0)), 0, 5_000).outage.isDown).toBe(false)
})

it("holds one failure of each engine against it again where an answer disproves the suspicion", () => {
  const suspected = after(failure("a", 0), failure("a", 1), failure("b", 2), failure("b", 3))
  expect(answered(suspected).reinstated.map(({ at, engine }) => [engine, at])).toEqual([
    ["a", 0],
    ["b", 2]
  ])
  expect(answered(confirmed(suspected, 0, 3).outage).reinstated).toEqual([])
})

it("warns once a minute, and says that the connection is back where it has warned of the outage", () => {
  const suspected = after(failure("a", 0), failure("b", 5))
  const first = confirmed(suspected, 0, 5)
  expect(first.warning).toEqual({
    message: "outgoing connection is down: connections fail",
    fault: "connect_error",
    engines: 2
  })
  expect(confirmed(first.outage, 0, 60_004).warning).toBeNull()
  expect(confirmed(first.outage, 0, 60_005).warning).not.toBeNull()

  const back = answered(first.outage)
  expect(back.isBack).toBe(true)
  expect(answered(back.outage).isBack).toBe(false)
  const soonAgain = [failure("a", 10_000), failure("b", 10_000)].reduce(
    (outage, one) => failedToConnect(outage, one).outage,
    back.outage
  )
  const unwarned = confirmed(soonAgain, 0, 10_000)
  expect([unwarned.outage.isDown, unwarned.warning, answered(unwarned.outage).isBack]).toEqual([true, null, false])
})

it("names the cause", () => {
  expect(message(after(failure("a", 0, "dns_error"), failure("b", 0, "dns_error")))).toMatch(/name resolution fails$/)
  expect(message(after(failure("a", 0, "tls_error"), failure("b", 0, "tls_error")))).toMatch(/TLS handshakes fail$/)
  expect(message(after(failure("a", 0, "dns_error"), failure("b", 0)))).toMatch(/: connections fail$/)
  expect(message(after(failure("a", 0, "proxy_error"), failure("b", 0)))).toMatch(/the proxy makes no connections$/)
})

it("takes one fault of the proxy for an outage, which spares nobody until a second engine fails", () => {
  const one = after(failure("a", 0, "proxy_error"))
  expect(confirmed(one, 0, 0).warning).toMatchObject({ fault: "proxy_error", engines: 1 })
  expect(failedToConnect(one, failure("a", 10)).isSpared).toBe(false)
  expect(failedToConnect(one, failure("b", 10)).isSpared).toBe(true)
})

it("keeps one failure of each engine, however long it lasts", () => {
  const many = Array.from({ length: 1_000 }, (_, index) => failure(index % 2 === 0 ? "a" : "b", index * 10))
  expect(after(...many).failures).toHaveLength(2)
  const proxyAlone = Array.from({ length: 1_000 }, (_, index) => failure("a", index * 500, "proxy_error"))
  expect(after(...proxyAlone).failures.length).toBeLessThanOrEqual(3)
})
