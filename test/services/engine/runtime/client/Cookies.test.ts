import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { type Cookies, make } from "../../../../../src/services/engine/runtime/client/Cookies.ts"

const site = "https://search.engine.test/search?p=x"

/** The `Cookie` header that a request to a URL gets. */
const due = (cookies: Cookies, url = site, own?: string) =>
  cookies
    .onto({
      method: "GET",
      url: new URL(url),
      headers: [["Accept", "*/*"], ...(own === undefined ? [] : [["cookie", own] as const]), ["Referer", site]],
      body: null
    })
    .pipe(Effect.map(({ headers }) => headers.find(([name]) => name.toLowerCase() === "cookie")?.[1] ?? null))

const keeping = (...lines: ReadonlyArray<string>) => Effect.tap(make, (cookies) => cookies.keep(new URL(site), lines))

describe("a kept cookie", () => {
  it.effect("goes where its domain and path say, over https only when it says so", () =>
    Effect.gen(function* () {
      const cookies = yield* keeping("here=1", "all=2; Domain=engine.test; Path=/", "deep=3; Path=/_bv", "s=4; Secure")
      expect(yield* due(cookies)).toBe("here=1; all=2; s=4")
      expect(yield* due(cookies, "https://search.engine.test/_bv/v.gif")).toBe("deep=3; here=1; all=2; s=4")
      expect(yield* due(cookies, "https://au.search.engine.test/search")).toBe("all=2")
      expect(yield* due(cookies, "http://search.engine.test/search")).toBe("here=1; all=2")
      expect(yield* due(cookies, "https://elsewhere.test/")).toBeNull()
    })
  )

  it.effect("is not one for another site, nor for a whole suffix, nor garbage", () =>
    Effect.gen(function* () {
      const cookies = yield* keeping("a=1; Domain=elsewhere.test", "b=2; Domain=test", "", ";;", "=", "\u0000=\u0000")
      expect(yield* due(cookies)).toBeNull()
      expect(yield* due(cookies, "https://elsewhere.test/")).toBeNull()
    })
  )

  it.effect("gives way to the request's own of its name", () =>
    Effect.gen(function* () {
      const cookies = yield* keeping("sB=theirs", "YBV=2")
      expect(yield* due(cookies, site, "sB=v=1&vm=r; x=y")).toBe("sB=v=1&vm=r; x=y; YBV=2")
    })
  )

  it.effect("ends when it says, and after a day at the latest", () =>
    Effect.gen(function* () {
      const cookies = yield* keeping(
        "pixel=1; Max-Age=60",
        "dated=2; Expires=Thu, 01 Jan 1970 01:00:00 GMT",
        "year=3; Max-Age=31536000",
        "open=4"
      )
      expect(yield* due(cookies)).toBe("pixel=1; dated=2; year=3; open=4")
      yield* TestClock.adjust("61 seconds")
      expect(yield* due(cookies)).toBe("dated=2; year=3; open=4")
      yield* TestClock.adjust("1 hour")
      expect(yield* due(cookies)).toBe("year=3; open=4")
      yield* TestClock.adjust("23 hours")
      expect(yield* due(cookies)).toBeNull()
    })
  )

  it.effect("is replaced and taken back by its site", () =>
    Effect.gen(function* () {
      const cookies = yield* keeping("a=1", "b=2")
      yield* cookies.keep(new URL(site), ["a=3", "b=; Max-Age=0"])
      expect(yield* due(cookies)).toBe("a=3")
    })
  )

  it.effect("makes room for the next ones, and none is too long", () =>
    Effect.gen(function* () {
      const cookies = yield* keeping(`long=${"x".repeat(5_000)}`)
      for (let round = 0; round < 9; round += 1) {
        yield* cookies.keep(
          new URL(site),
          Array.from({ length: 60 }, (_, index) => `c${round}-${index}=${"y".repeat(500)}`)
        )
      }
      const header = (yield* due(cookies)) ?? ""
      expect(header.length).toBeLessThanOrEqual(8_192)
      expect(header).not.toContain("long=")
      expect(header).not.toContain("c4-")
      expect(header).not.toContain("-50=")
      expect(header).toContain("c5-0=")
    })
  )
})
