import { Schema } from "effect"
import { type SearchKind } from "../../../../domain/SearchKind.ts"
import { type RawResult } from "../../../../domain/ResultItem.ts"
import { type Cursor, empty, type EngineAnswer, fault, pageAfter, type Parsed, results } from "../../Engine.ts"
import * as Json from "../../toolkit/JsonValue.ts"
import { textOfHtml } from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"

export const site = "https://archive.org"

const Answer = Schema.Struct({ response: Schema.Struct({ numFound: Json.number, docs: Json.items }) })

/** Converts a member to a list of strings. It can be one value or a list, of texts or numbers. */
const Texts = Schema.transform(Schema.Unknown, Schema.Array(Schema.String), {
  decode: (value) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) =>
      typeof one === "string" || typeof one === "number" ? [String(one)] : []
    ),
  encode: (texts) => texts
})

const texts = Schema.optionalWith(Texts, { default: (): ReadonlyArray<string> => [] })

const Item = Schema.Struct({
  identifier: Schema.String.pipe(Schema.pattern(/^[\w.-]{1,100}$/)),
  title: texts,
  creator: texts,
  publisher: texts,
  description: texts,
  date: texts,
  year: texts,
  publicdate: texts,
  language: texts,
  isbn: texts,
  imagecount: texts,
  runtime: texts,
  downloads: texts
})

export type Item = typeof Item.Type

const pageSize = 50
const deepest = 10_000

/**
 * Removes Lucene's special characters and turns its operators into ordinary words. Quotation marks stay if they are
 * paired.
 */
const plain = (text: string): string => {
  const words = text
    .replace(/[+\-!(){}[\]^~*?:\\/&|<>=]+/g, " ")
    .replace(/\b(?:AND|OR|NOT|TO)\b/g, (operator) => operator.toLowerCase())
  const isPaired = (words.match(/"/g) ?? []).length % 2 === 0 && !/"\s*"/.test(words)
  return (isPaired ? words : words.replaceAll('"', " ")).replace(/\s+/g, " ").trim()
}

/** Builds a search request. `clauses` are Lucene clauses, one per filter. */
export const request = (text: string, clauses: ReadonlyArray<string>, cursor: Cursor) => ({
  method: "GET" as const,
  url: `${site}/advancedsearch.php`,
  params: params({
    q: [`(${plain(text) || '""'})`, ...clauses].join(" AND "),
    "fl[]": Object.keys(Item.fields),
    rows: pageSize,
    page: cursor.page,
    output: "json"
  }),
  persona: "program" as const,
  follow: true
})

const decode = Json.decodeBody(Answer)
const decodeItem = Json.decodeItem(Item)

export const parse = <K extends SearchKind>(
  answer: EngineAnswer,
  cursor: Cursor,
  found: (item: Item) => RawResult<K> | null
): Parsed<K> => {
  const body = decode(answer)?.response ?? null
  if (body === null) return fault("layout_changed")
  if (body.docs.length === 0) return body.numFound === 0 || cursor.page > 1 ? empty : fault("layout_changed")
  const items = body.docs.map(decodeItem).map((item) => item && found(item))
  const more = cursor.page * pageSize < Math.min(body.numFound ?? 0, deepest)
  return results(items, more ? pageAfter(cursor) : null)
}

export const pageOf = (item: Item): string => `${site}/details/${item.identifier}`

export const pictureOf = (item: Item): string => `${site}/services/img/${item.identifier}`

export const descriptionOf = (item: Item): string | null => textOfHtml(item.description.join(" ") || null)
