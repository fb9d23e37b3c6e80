import { describe, expect, it } from "@effect/vitest"
import { selectAll } from "css-select"
import { Schema } from "effect"
import { innerText } from "domutils"
import { parseDocument } from "htmlparser2"
import { readdirSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { extractPage } from "../../../src/services/extractor/Page.ts"
import { mean, wordF1 } from "../../support/content/F1.ts"
import floors from "./floors.json" with { type: "json" }

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
      expect(wordF1(truthOf(html), content)).toBeGreaterThanOrEqual(floorOf.get(name.replace(".html", "")) ?? 1)
    })
})

describe("F1 of the corpus", () => {
  const corpus = new URL("corpus/", import.meta.url)
  const truths = Schema.decodeUnknownSync(
    Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.String }))
  )(readFileSync(new URL("truth.json", corpus), "utf8"))

  it("is at least its floor", () => {
    const scores = Object.entries(truths).map(([name, truth]) => {
      const html = gunzipSync(readFileSync(new URL(`${name}.html.gz`, corpus))).toString("utf8")
      const { content } = extractPage(html, `https://corpus.example/${name}`, "text")
      return { name, f1: wordF1(truth, content) }
    })
    for (const { f1, name } of scores) expect(f1, name).toBeGreaterThanOrEqual(floors.corpus.page)
    expect(mean(scores.map(({ f1 }) => f1))).toBeGreaterThanOrEqual(floors.corpus.mean)
  })
})
