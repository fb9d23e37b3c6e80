import { describe, expect, it } from "@effect/vitest"
import { selectAll } from "css-select"
import { Schema } from "effect"
import { innerText } from "domutils"
import { parseDocument } from "htmlparser2"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { extractPage } from "../../../src/services/Extractor/Page.ts"
import { mean, runF1, wordF1 } from "../../support/content/F1.ts"
import floors from "./floors.json" with { type: "json" }

/**
 * What was reached once: `floors.json` may only rise. Where a change gains more than `slack`, its floor is too low to
 * keep what was gained, and is to be raised with the change.
 */
const expectAtLeast = (measured: number, floor: number, slack: number) => {
  expect(measured).toBeGreaterThanOrEqual(floor)
  expect(measured, "more than the floor: raise it in floors.json").toBeLessThanOrEqual(floor + slack)
}

const folder = new URL("pages/", import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), "utf8")

/** The main text of a made page, as it is marked. */
const truthOf = (html: string): string =>
  selectAll("[data-truth]", parseDocument(html))
    .map((node) => innerText(node))
    .join("\n")

describe("F1 of made pages", () => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".html"))
  const floorOf = new Map(Object.entries(floors.made))

  it("has a floor for every page", () => {
    expect(names.map((name) => name.replace(".html", "")).sort()).toEqual([...floorOf.keys()].sort())
  })

  for (const name of names)
    it(name, () => {
      const html = read(name)
      const { content } = extractPage(html, `https://made.example/${name}`, "text")
      expectAtLeast(wordF1(truthOf(html), content), floorOf.get(name.replace(".html", "")) ?? 1, 0.05)
    })
})

const corpora = new URL("../../../../shared/extraction/", import.meta.url)

const Truth = Schema.Record({
  key: Schema.String,
  value: Schema.Struct({
    articleBody: Schema.optional(Schema.NullOr(Schema.String)),
    url: Schema.optional(Schema.NullOr(Schema.String)),
    type: Schema.optional(Schema.String)
  })
})

/** Extracts a corpus of /shared: the text that is wanted, the text that was found, and the kind of each page. */
const extractCorpus = (name: string) => {
  const truth = Schema.decodeUnknownSync(Schema.parseJson(Truth))(
    readFileSync(new URL(`${name}/truth.json`, corpora), "utf8")
  )
  return Object.entries(truth).map(([id, { articleBody, type, url }]) => {
    const html = gunzipSync(readFileSync(new URL(`${name}/html/${id}.html.gz`, corpora))).toString("utf8")
    const { content } = extractPage(html, url ?? "http://localhost/", "text")
    return { truth: articleBody ?? "", text: content, type: type ?? "article" }
  })
}

// They may not be in the tree, and are there where the extractor is worked on.
if (existsSync(corpora))
  describe("F1 of the corpora, seen in training", () => {
    it("articles", { timeout: 240_000 }, () => {
      expectAtLeast(runF1(extractCorpus("articles")), floors.articles, 0.015)
    })

    it("pages, by kind", { timeout: 240_000 }, () => {
      const scored = extractCorpus("pages").map(({ text, truth, type }) => ({ type, f1: wordF1(truth, text) }))
      const scores = (type: string) => scored.filter((page) => page.type === type).map(({ f1 }) => f1)
      expectAtLeast(mean(scored.map(({ f1 }) => f1)), floors.pages, 0.015)
      for (const [type, floor] of Object.entries(floors.kinds)) {
        expect(scores(type).length, type).toBeGreaterThan(0)
        expect(mean(scores(type)), type).toBeGreaterThanOrEqual(floor)
      }
    })
  })
