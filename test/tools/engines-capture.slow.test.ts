import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fixture } from "../engines/Asking.ts"
import { upstreamWeb } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { types } from "../support/upstream/Site.ts"
import { runTool } from "./Tool.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "quarry-captures-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const today = /\d{4}-\d\d-\d\d/.source

layer(upstreamWeb, { excludeTestServices: true, timeout: "60 seconds" })("engines:capture", (it) => {
  it.scoped("writes each kind's page as it came, the step before it, and their rows", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const target = yield* folder
      yield* web.behaveAll(Behaviour.captured)
      const { code, stdout } = yield* runTool("engines-capture", ["duckduckgo", "red | panda", "--fixtures", target])
      expect(code).toBe(0)
      expect(stdout).toMatch(/^duckduckgo text: ok, [1-9]\d* results; wrote text\.html$/m)
      expect(stdout).toMatch(/^duckduckgo images: ok, [1-9]\d* results; wrote images\.step\.html; wrote images\.json$/m)
      const pages = ["images.json", "images.step.html", "news.json", "news.step.html", "text.html"]
      const files = [...pages, "videos.json", "videos.step.html"]
      expect(readdirSync(join(target, "duckduckgo")).toSorted()).toEqual(["SOURCES.md", ...files])
      for (const file of files)
        expect(readFileSync(join(target, "duckduckgo", file), "utf8")).toBe(fixture(`duckduckgo/${file}`))
      const rows = readFileSync(join(target, "duckduckgo", "SOURCES.md"), "utf8")
        .trimEnd()
        .split("\n")
      expect(rows.slice(2).map((row) => row.split(" | ")[0]?.slice(2))).toEqual(files)
      expect(rows.find((row) => row.startsWith("| text.html"))).toMatch(
        new RegExp(
          String.raw`^\| text\.html \| captured \(full page\) \| POST https://html\.duckduckgo\.com/html/, query "red \\\| panda" \| the engine's own content \| ${today} \|$`
        )
      )
      expect(rows.find((row) => row.startsWith("| images.json"))).toMatch(
        /\| captured \(full response\) \| https:\/\/duckduckgo\.com\/i\.js\?\S+ \|/
      )
    })
  )

  it.scoped("names a page by what it is, and overwrites only when forced", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const target = yield* folder
      const at = (file: string) => join(target, "mojeek", file)
      mkdirSync(join(target, "mojeek"))
      writeFileSync(at("text.html"), "mine")
      writeFileSync(at("text.block.json"), "{}")
      const table = "| file | kind of fixture | source | licence | date |\n|---|---|---|---|---|\n"
      const row = "| text.html | made | here | MIT | 2026-01-01 |\n"
      writeFileSync(at("SOURCES.md"), `${table}| text.block.json | made | here | MIT | 2026-01-01 |\n${row}`)
      const args = ["mojeek", "red panda", "text", "--fixtures", target]

      yield* web.behave("mojeek", Behaviour.captured)
      const refused = yield* runTool("engines-capture", args)
      expect(refused.code).toBe(1)
      expect(refused.stdout).toMatch(/^mojeek text: ok, 10 results; text\.html: there already; -- --force$/m)
      expect(readFileSync(at("text.html"), "utf8")).toBe("mine")

      yield* web.behave("mojeek", Behaviour.block)
      const forced = yield* runTool("engines-capture", [...args, "--force"])
      expect([forced.code, forced.stdout]).toEqual([0, "mojeek text: blocked, 0 results; wrote text.block.html\n"])
      expect(readFileSync(at("text.block.html"), "utf8")).toBe(fixture("mojeek/text.block.html"))
      expect(readFileSync(at("text.html"), "utf8")).toBe("mine")
      expect(existsSync(at("text.block.json"))).toBe(false)
      const rows = readFileSync(at("SOURCES.md"), "utf8")
      expect(
        rows.startsWith(`${table}| text.block.html | captured (full page) | https://www.mojeek.com/search?q=red`)
      ).toBe(true)
      expect(rows.endsWith(row)).toBe(true)
      expect(rows.trimEnd().split("\n")).toHaveLength(4)
    })
  )

  it.scoped("keeps keys out of what it writes and says", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const target = yield* folder
      const key = "sesame/street+1"
      const echo = (spelt: string) => fixture("googlecse/text.json").replace("{", `{ "echo": "${spelt}",`)
      const body = echo(`${key} ${encodeURIComponent(key)}`)
      yield* web.behave("googlecse", Behaviour.page({ status: 200, type: types.json, body }))
      const args = ["googlecse", "red panda", "text", "--fixtures", target]
      const ended = yield* runTool("engines-capture", args, { GOOGLE_API_KEY: key, GOOGLE_CSE_ID: "sesame-cx" })
      expect([ended.code, ended.stderr]).toEqual([0, ""])
      const [request] = yield* web.requests("googlecse")
      expect(request?.query.get("key")).toBe(key)
      expect(readFileSync(join(target, "googlecse", "text.json"), "utf8")).toBe(echo("(hidden) (hidden)"))
      const rows = readFileSync(join(target, "googlecse", "SOURCES.md"), "utf8")
      expect(rows).toContain("| captured (full response; a key hidden) |")
      expect(`${rows}${ended.stdout}`).not.toContain("sesame")
    })
  )

  it.effect("says in one line how it is used", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* runTool("engines-capture", ["altavista", "red panda"])
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^quarry: there is no engine altavista; .*mojeek.*\n$/)])
    })
  )
})
