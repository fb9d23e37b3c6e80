import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { upstreamWeb } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { types } from "../support/upstream/Site.ts"
import { fixture } from "../engines/Asking.ts"
import { runTool } from "./Tool.ts"

/** The line of a source, and those under it that belong to it. */
const rowOf = (table: string, engine: string, kind: string): string =>
  new RegExp(`^${engine} +${kind} .*(?:\\n +.*)*`, "m").exec(table)?.[0] ?? ""

layer(upstreamWeb, { excludeTestServices: true, timeout: "60 seconds" })("engines:check", (it) => {
  it.effect("prints what each kind of each engine answers, steps and all", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.captured)
      const { code, stdout } = yield* runTool("engines-check", ["openlibrary", "duckduckgo"])
      expect(rowOf(stdout, "openlibrary", "books")).toMatch(/ ok +[1-9]\d* +\d+ ms$/)
      for (const kind of ["text", "images", "videos", "news"])
        expect(rowOf(stdout, "duckduckgo", kind)).toMatch(/ ok +[1-9]\d* +\d+ ms$/)
      expect(stdout).toContain("5 of 5 sources ok")
      expect(code).toBe(0)
      // One request a kind, and a step before all but the text.
      expect((yield* web.requests("duckduckgo")).length).toBe(7)
      expect(yield* web.requests("mojeek")).toEqual([])
    })
  )

  it.effect("says what came where a source is not well, and goes on with the other kinds", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.captured)
      yield* web.behave("mojeek", Behaviour.garbage("html"))
      yield* web.behave("brave", Behaviour.block)
      yield* web.behave("gutendex", Behaviour.empty)
      yield* web.behave("openverse", Behaviour.hang)
      yield* web.behave("hackernews", Behaviour.reset)
      yield* web.behave("yandex", Behaviour.status(500))
      const names = ["mojeek", "brave", "gutendex", "openverse", "hackernews", "yandex", "bing", "openlibrary"]
      const { code, stdout } = yield* runTool("engines-check", names, { SEARCH_TIMEOUT: "1.5" })
      expect(code).toBe(1)
      const strange = rowOf(stdout, "mojeek", "text")
      expect(strange).toMatch(/layout_changed +0 /)
      expect(strange).toContain("HTTP 200, https://www.mojeek.com/search?")
      expect(strange).toMatch(/text\/html; charset=utf-8, \d+ bytes, "Welcome to the hotel network"/)
      expect(strange).toMatch(/gone: .*results-standard/)
      for (const kind of ["text", "images", "videos", "news"])
        expect(rowOf(stdout, "brave", kind)).toMatch(/ blocked +0 /)
      expect(rowOf(stdout, "gutendex", "books")).toMatch(/ empty +0 /)
      expect(rowOf(stdout, "openverse", "images")).toMatch(/ timeout +0 /)
      expect(rowOf(stdout, "hackernews", "news")).toMatch(/ connect_error +0 /)
      expect(rowOf(stdout, "yandex", "text")).toMatch(/ http_status .*its first way: http_status \(HTTP 500,/)
      // Its captured page is one of another query.
      expect(rowOf(stdout, "bing", "text")).toMatch(/ irrelevant +0 /)
      expect(rowOf(stdout, "openlibrary", "books")).toMatch(/ ok +[1-9]/)
      expect(stdout).toContain("4 of 15 sources ok")
    })
  )

  it.effect("tells of members and further pages that are lost, and of the names that went with them", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.captured)
      const body = (name: string, from: string, to: string) => fixture(name).replaceAll(from, to)
      const drifted = body("mojeek/text.html", 'class="s"', 'class="t"')
      yield* web.behave("mojeek", Behaviour.page({ status: 200, type: types.html, body: drifted }))
      const last = body("marginalia/text.json", '"pages"', '"page_count"')
      yield* web.behave("marginalia", Behaviour.page({ status: 200, type: types.json, body: last }))
      const changed = yield* runTool("engines-check", ["mojeek", "marginalia"])
      const row = rowOf(changed.stdout, "mojeek", "text")
      expect(row).toMatch(/ ok +10 .*body \d+% -> 0%\n +gone: .*\bs\b/)
      expect(rowOf(changed.stdout, "marginalia", "text")).toMatch(/ ok .*no further page\n +gone: pages$/)
      expect(changed.code).toBe(0)
    })
  )

  it.effect("says in one line what it cannot ask", () =>
    Effect.gen(function* () {
      const keyless = yield* runTool("engines-check", ["googlecse"])
      expect([keyless.code, keyless.stderr]).toEqual([
        1,
        "quarry: googlecse cannot be asked: set GOOGLE_API_KEY and GOOGLE_CSE_ID\n"
      ])
    })
  )
})
