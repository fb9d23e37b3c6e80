import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type SearchKind, searchKinds } from "../../src/domain/SearchKind.ts"
import { found, outcomes, search } from "../support/Client.ts"
import { only, quarry, serve, upstreamWeb } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { allOf } from "../support/upstream/sites.ts"
import { sample } from "../support/Cases.ts"

/** Members of an item of each kind (contract, section 2), besides `title`, `url` and `engines`. */
const members = {
  text: ["href", "body"],
  images: ["image", "thumbnail", "width", "height", "source"],
  videos: [
    "content",
    "description",
    "duration",
    "embed_url",
    "embed_html",
    "images",
    "provider",
    "published",
    "publisher",
    "uploader",
    "statistics"
  ],
  news: ["date", "body", "image", "source"],
  books: ["author", "publisher", "info", "thumbnail", "year", "language", "isbn"]
} as const

/** What the captured pages show, looked up by eye: how many results, and the first of them. */
const captures = [
  {
    engine: "duckduckgo",
    kind: "text",
    count: 10,
    first: {
      title: "The 7 Best Mechanical Keyboards of 2026 - RTINGS.com",
      url: "https://www.rtings.com/keyboard/reviews/best/mechanical",
      body: expect.stringContaining("The best mechanical keyboard we've tested is the Keychron Q5 Max.")
    }
  },
  {
    engine: "mojeek",
    kind: "text",
    count: 10,
    first: {
      title: "The Modern JavaScript Tutorial",
      url: "https://javascript.info/",
      href: "https://javascript.info/",
      body:
        "The Modern JavaScript Tutorial ... Main course contains 2 parts which cover JavaScript as a programming " +
        "language and working with a browser."
    }
  },
  {
    engine: "wikipedia",
    kind: "text",
    count: 1,
    first: {
      title: "Caffeine-induced sleep disorder",
      url: "https://en.wikipedia.org/wiki/Caffeine-induced_sleep_disorder",
      body: expect.stringMatching(/^Caffeine-induced sleep disorder was a psychiatric disorder/)
    }
  },
  {
    engine: "bing",
    kind: "images",
    count: 42,
    first: {
      title: "Golang Gopher Logo PNG (Transparent) SVG AI – Free Download",
      url: "https://vectorseek.com/vector_logo/golang-gopher-logo-vector/",
      image: "https://vectorseek.com/wp-content/uploads/2023/03/Golang-Gopher-Logo-Vector.jpg",
      width: 1000,
      height: 1000,
      source: "vectorseek.com"
    }
  },
  { engine: "openverse", kind: "images", count: 4, first: { title: "Red Panda", width: 1024, height: 683 } },
  {
    engine: "dailymotion",
    kind: "videos",
    count: 3,
    first: { title: "How bridges are built", duration: "4:36", statistics: { viewCount: 1862 } }
  },
  {
    engine: "sepiasearch",
    kind: "videos",
    count: 2,
    first: { title: "How bridges are built", duration: "9:56", publisher: "tube.example.org" }
  },
  {
    engine: "googlenews",
    kind: "news",
    count: 100,
    first: {
      title: "Caffeine reversed memory problems caused by sleep deprivation",
      url: expect.stringMatching(/^https:\/\/news\.google\.com\/rss\/articles\/CBMib0FV/),
      date: expect.stringMatching(/^2026-05-30T07:00:00/),
      source: "ScienceDaily"
    }
  },
  { engine: "hackernews", kind: "news", count: 3, first: { title: "Renewable energy overtakes coal" } },
  {
    engine: "openlibrary",
    kind: "books",
    count: 3,
    first: { title: "Dune", url: "https://openlibrary.org/works/OL893414W", year: 1965, isbn: "9780425043769" }
  },
  {
    engine: "gutendex",
    kind: "books",
    count: 3,
    first: { title: "Pride and Prejudice", url: "https://www.gutenberg.org/ebooks/1342", author: "Jane Austen" }
  }
] as const

/** Every string of an item, however deep. */
const stringsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : []
}

/** All that the engines have of a query, and what each of them did for it. */
const whole = (kind: SearchKind, q: string) =>
  Effect.gen(function* () {
    const answers: Array<Effect.Effect.Success<ReturnType<typeof found>>> = []
    for (;;) {
      const answer = yield* search(`/api/search/${kind}`, { q, max_results: 100, page: answers.length + 1 })
      expect(answer.status).toBe(200)
      expect(answer.text).toMatch(new RegExp(`^\\{"success":true,"query":"${q}","results_count":\\d+,"results":\\[`))
      const body = yield* found(answer)
      expect(body.results_count).toBe(body.results.length)
      answers.push(body)
      if (body.results.length < 100)
        return { results: answers.flatMap(({ results }) => results), sources: body.sources }
    }
  })

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("captured pages", (it) => {
  for (const kind of sample(searchKinds)) {
    it.effect(`give ${kind} in their fixed shape, as plain text, no advertisement and no wrapped link`, () =>
      Effect.gen(function* () {
        yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.captured))
        const { results, sources } = yield* whole(kind, "caffeine")
        expect(outcomes(sources)).toEqual(allOf(kind, "ok"))
        for (const item of results) {
          expect(Object.keys(item).toSorted()).toEqual(["title", "url", "engines", ...members[kind]].toSorted())
          expect(item.url).toMatch(/^https?:\/\//)
          expect(item.url).not.toMatch(/duckduckgo\.com\/(l\/|y\.js)|bing\.com\/(ck|aclick)|r\.search\.yahoo|uddg=/)
          expect(item.title).not.toMatch(/\bAd\b$/)
          expect(item.engines.length).toBeGreaterThan(0)
          for (const engine of item.engines) expect(allOf(kind, "ok")).toHaveProperty(engine)
          const { embed_html: _, ...plain } = item
          for (const text of stringsOf(plain).filter((text) => !text.startsWith("http"))) {
            expect(text).not.toBe("")
            expect(text).toBe(text.normalize("NFC").trim())
            expect(text).not.toMatch(/<\/?(b|strong|em|span|p|a|br|font)\b/i)
            expect(text).not.toMatch(/&(amp|quot|lt|gt|nbsp|#\d+|#x[\da-f]+);|\s{2,}|[\uE000\uE001]/i)
          }
        }
      }).pipe(Effect.provide(serve()))
    )
  }
})

const seen = only(...captures.map(({ engine }) => engine))

layer(quarry(seen), { excludeTestServices: true, timeout: "30 seconds" })("the captured page", (it) => {
  for (const { count, engine, first, kind } of sample(captures, 3)) {
    it.effect(`of ${engine} is read as it is seen`, () =>
      Effect.gen(function* () {
        const web = yield* TestWeb
        yield* web.behaveAll(Behaviour.empty)
        yield* web.behave(engine, Behaviour.captured)
        const { results, sources } = yield* Effect.flatMap(
          search(`/api/search/${kind}`, { q: `page of ${engine}`, max_results: 100 }),
          found
        )
        expect(sources).toContainEqual(expect.objectContaining({ engine, outcome: "ok", results_count: count }))
        expect(results).toHaveLength(count)
        expect(results[0]).toMatchObject({ ...first, engines: [engine] })
      })
    )
  }
})
