import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Answer, call, failed, search } from "../support/Client.ts"
import { quarry } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

const notIntegers = ["", "abc", "1.0", "0x10", "1e1", "1 2", "+5", "5,0", "NaN", "٣", "99999999999999999999"]
const q = ["", "   ", "x".repeat(1001)]
const region = ["", "us", "us-", "english", "u1-en", "us_en", "us-engl", "wt-wtt-"]
const safesearch = ["", "strict", "true", "on,off"]
const upToYear = ["", "x", "day", "dw", "2026-01-01..2026-02-01"]
const upToMonth = [...upToYear, "y"]
const max_results = [...notIntegers, "0", "101", "-1"]
const page = [...notIntegers, "0", "-1", "101"]
const backend = ["", "nosuchengine", "auto,", "google;mojeek", "auto,nosuchengine"]

/** Bad values of every parameter, by endpoint. */
const bad: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  "/api/search/text": { q, region, safesearch, timelimit: upToYear, max_results, page, backend },
  "/api/search/images": {
    q,
    region,
    safesearch,
    timelimit: upToYear,
    max_results,
    page,
    size: ["", "huge", "Small,Large"],
    color: ["", "black", "Color s"],
    type_image: ["", "drawing"],
    layout: ["", "round"]
  },
  "/api/search/videos": {
    q,
    region,
    safesearch,
    timelimit: upToMonth,
    max_results,
    page,
    resolution: ["", "hd"],
    duration: ["", "90"],
    license_videos: ["", "cc0"]
  },
  "/api/search/news": { q, region, safesearch, timelimit: upToMonth, max_results, page },
  "/api/search/books": { q, max_results, page, backend: [...backend, "mojeek"] },
  "/api/search/all": { q, region, safesearch, timelimit: upToYear, max_results_per_type: [...notIntegers, "0", "51"] },
  "/api/content/fetch": {
    url: [
      "",
      "example.com",
      "/relative",
      "ftp://example.com/",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "http://",
      "https:// bad host/",
      ...["\0", "\t", "\n", "\r", "\u001b", "\u007f"].map((control) => `http://127.0.0.1:1/o${control}k`),
      "ht\ntp://127.0.0.1:1/",
      "http://127.0.0.1:1/ok\u001b\0",
      `http://example.com/${"x".repeat(9000)}`
    ],
    timeout: [...notIntegers, "4", "31"],
    max_length: [...notIntegers, "99", "20001"],
    format: ["", "pdf"],
    offset: [...notIntegers, "-1"]
  }
}

const good = (path: string): Readonly<Record<string, string>> =>
  path === "/api/content/fetch" ? { url: "http://127.0.0.1:1/" } : { q: "bridges" }

const Problems = Schema.Array(
  Schema.Struct({
    in: Schema.String,
    field: Schema.String,
    message: Schema.NonEmptyTrimmedString,
    allowed: Schema.optional(Schema.Array(Schema.String))
  })
)

/** The fields a 422 names, in the order of the alphabet. */
const problemsOf = (answer: Answer) =>
  Effect.gen(function* () {
    const { details, error } = yield* failed(answer)
    expect([answer.status, error]).toEqual([422, "Invalid parameters"])
    const problems = yield* Effect.orDie(Schema.decodeUnknown(Problems, { onExcessProperty: "error" })(details))
    return problems.toSorted((one, other) => (one.field < other.field ? -1 : 1))
  })

const fieldsOf = (answer: Answer) => Effect.map(problemsOf(answer), (problems) => problems.map(({ field }) => field))

const enumOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  safesearch: ["on", "moderate", "off"],
  size: ["Small", "Medium", "Large", "Wallpaper"],
  color: ["color", "Monochrome", "Red", "Orange", "Yellow", "Green", "Blue", "Purple", "Pink"],
  type_image: ["photo", "clipart", "gif", "transparent", "line"],
  layout: ["Square", "Tall", "Wide"],
  resolution: ["high", "standard"],
  duration: ["short", "medium", "long"],
  license_videos: ["creativeCommon", "youtube"],
  format: ["text", "markdown", "html"]
}

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("bad input", (it) => {
  it.effect("a window out of reach is named with the other bad fields", () =>
    Effect.gen(function* () {
      const answer = yield* search("/api/search/text", { page: "11", max_results: "100", region: "zz" })
      expect(yield* fieldsOf(answer)).toEqual(["page", "q", "region"])
    })
  )

  for (const [path, parameters] of Object.entries(bad)) {
    it.effect(`${path} names each bad parameter`, () =>
      Effect.forEach(
        Object.entries(parameters).flatMap(([field, values]) => values.map((value) => ({ field, value }))),
        ({ field, value }) =>
          Effect.gen(function* () {
            const problems = yield* problemsOf(yield* search(path, { ...good(path), [field]: value }))
            expect(problems, `${field}=${value}`).toMatchObject([{ in: "query", field }])
            const allowed = enumOf[field]
            if (allowed !== undefined) expect(problems[0]?.allowed).toEqual(allowed)
          }),
        { concurrency: 8, discard: true }
      )
    )

    it.effect(`${path} names all bad parameters at once`, () =>
      Effect.gen(function* () {
        const worst = Object.fromEntries(Object.entries(parameters).map(([field, values]) => [field, values[1] ?? ""]))
        expect(yield* fieldsOf(yield* search(path, worst))).toEqual(Object.keys(parameters).toSorted())
      })
    )

    it.effect(`${path} takes no parameter twice, and misses what is required`, () =>
      Effect.gen(function* () {
        const required = path === "/api/content/fetch" ? "url" : "q"
        expect(yield* fieldsOf(yield* call(path))).toEqual([required])
        const valid: Readonly<Record<string, string>> = {
          ...good(path),
          region: "uk-en",
          timelimit: "w",
          max_results: "5",
          page: "1",
          ...Object.fromEntries(Object.entries(enumOf).map(([field, [first = ""]]) => [field, first])),
          backend: "auto",
          max_results_per_type: "5",
          timeout: "5",
          max_length: "100",
          offset: "0"
        }
        const twice = Object.keys(parameters).map((field): [string, ReadonlyArray<string>] => {
          const value = valid[field] ?? ""
          return [field, [value, value]]
        })
        expect(yield* fieldsOf(yield* search(path, Object.fromEntries(twice)))).toEqual(
          Object.keys(parameters).toSorted()
        )
      })
    )
  }

  it.effect("refuses a page beyond the thousandth result", () =>
    Effect.gen(function* () {
      for (const path of ["/api/search/text", "/api/search/images", "/api/search/books"]) {
        const answer = yield* search(path, { q: "bridges", page: 11, max_results: 100 })
        expect(yield* fieldsOf(answer)).toContain("page")
      }
    })
  )

  it.effect("says which engines a backend may name", () =>
    Effect.gen(function* () {
      const [problem] = yield* problemsOf(
        yield* search("/api/search/text", { q: "bridges", backend: "mojeek,altavista" })
      )
      expect(problem?.allowed).toEqual(expect.arrayContaining(["auto", "duckduckgo", "mojeek", "wikipedia"]))
      expect(problem?.message).toContain("altavista")
    })
  )
})

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("input that is unusual but right", (it) => {
  const taken = (path: string, parameters: Readonly<Record<string, string>>) =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.generated(20)))
      const answer = yield* search(path, parameters)
      expect(answer.status, `${path} ${JSON.stringify(parameters)} ${answer.text}`).toBe(200)
      return answer.body
    })

  it.effect("enums, regions and engine names have any letter case", () =>
    Effect.gen(function* () {
      yield* taken("/api/search/text", { q: "bridges", region: "UK-en", safesearch: "OFF", timelimit: "W" })
      yield* taken("/api/search/text", { q: "bridges", region: "WT-WT", backend: "Mojeek, WIKIPEDIA" })
      yield* taken("/api/search/images", {
        q: "bridges",
        size: "small",
        color: "RED",
        type_image: "Photo",
        layout: "wide"
      })
      yield* taken("/api/search/videos", { q: "bridges", resolution: "HIGH", duration: "Short" })
      yield* taken("/api/search/videos", { q: "bridges", license_videos: "CREATIVECOMMON" })
    })
  )

  it.effect("a region that is not documented gets the nearest one", () =>
    taken("/api/search/text", { q: "bridges", region: "fr-en" })
  )

  it.effect("integers may carry spaces, and unknown parameters are ignored", () =>
    Effect.gen(function* () {
      const body = yield* taken("/api/search/text", {
        q: "bridges",
        max_results: " 5 ",
        page: " 1",
        fresh: "yes",
        Q: "x"
      })
      expect(body).toMatchObject({ results_count: 5, page: 1 })
    })
  )

  it.effect("a query is trimmed, and may be a thousand characters of any script", () =>
    Effect.gen(function* () {
      expect(yield* taken("/api/search/text", { q: "  bridges  " })).toMatchObject({ query: "bridges" })
      expect(yield* taken("/api/search/text", { q: "🌉".repeat(1000) })).toMatchObject({ query: "🌉".repeat(1000) })
      const odd = `a+b & c=d "é" <b> %41 #x ?y 中文`
      expect(yield* taken("/api/search/text", { q: odd })).toMatchObject({ query: odd })
    })
  )
})
