import { Schema } from "effect"
import { rawBook } from "../../../domain/RawResult.ts"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  fault,
  pageAfter,
  type Parsed,
  results
} from "../Engine.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { spokenName } from "../toolkit/PersonName.ts"
import { params } from "../toolkit/Request.ts"

/**
 * Gutendex, an API for the catalogue of Project Gutenberg. https://gutendex.com
 *
 * - Run by one person, with response times of seconds. Send at most one request at a time.
 * - 32 results a page. A page beyond the end returns 404 "Invalid page.".
 * - Names are written "Austen, Jane". Titles can contain the catalogue's subfield mark "$b".
 */
const Answer = Schema.Struct({ count: Json.number, next: Json.text, results: Json.items })

const Book = Schema.Struct({
  id: Json.number,
  title: Json.text,
  authors: Schema.optionalWith(Schema.Unknown, { default: () => null }),
  languages: Json.list(Schema.String),
  media_type: Json.text,
  formats: Schema.optionalWith(Schema.Unknown, { default: () => null })
})

const Authors = Schema.Struct({ authors: Json.list(Schema.Struct({ name: Schema.String })) })
const Formats = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const formatNames: ReadonlyArray<readonly [mime: string, name: string]> = [
  ["application/epub+zip", "EPUB"],
  ["application/x-mobipocket-ebook", "Kindle"],
  ["application/pdf", "PDF"],
  ["text/html", "HTML"],
  ["text/plain", "text"],
  ["audio/", "audio"]
]

const request = (query: EngineQuery<"books">, cursor: Cursor) => ({
  method: "GET" as const,
  url: "https://gutendex.com/books/",
  params: params({ search: query.text, page: cursor.page === 1 ? null : cursor.page }),
  persona: "program" as const,
  follow: true
})

const titleOf = (title: string | null): string | null =>
  title?.replaceAll(/\s{0,9}[:;]?\s{0,9}\$[a-z]\s/g, ": ").trim() ?? null

const decode = Json.decodeBody(Answer)
const decodeBook = Json.decodeItem(Book)
const decodeAuthors = Json.decodeItem(Authors)
const decodeFormats = Json.decodeItem(Formats)

const infoOf = (book: typeof Book.Type, formats: ReadonlyArray<string>): string => {
  const named = formatNames
    .filter(([mime]) => formats.some((format) => format.startsWith(mime)))
    .map(([, name]) => name)
  return [book.languages.join(", "), named.join(", ")].filter((part) => part !== "").join("; ")
}

const bookOf = (book: typeof Book.Type) => {
  const formats = decodeFormats(book.formats) ?? {}
  const cover = formats["image/jpeg"]
  return rawBook({
    title: titleOf(book.title),
    url: `https://www.gutenberg.org/ebooks/${book.id}`,
    authors: (decodeAuthors(book)?.authors ?? []).map((author) => spokenName(author.name)),
    info: infoOf(book, Object.keys(formats)),
    thumbnail: typeof cover === "string" ? cover : null,
    languages: book.languages
  })
}

const parse = (answer: EngineAnswer, _query: EngineQuery<"books">, cursor: Cursor): Parsed<"books"> => {
  if (answer.status === 404 && cursor.page > 1 && answer.body.includes("Invalid page")) return empty
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  if (body.results.length === 0) return body.count === 0 || cursor.page > 1 ? empty : fault("layout_changed")
  const items = body.results.map(decodeBook).map((book) => (book === null || book.id === null ? null : bookOf(book)))
  return results(items, body.next === null ? null : pageAfter(cursor))
}

export const gutendex = {
  name: "gutendex",
  website: "https://gutendex.com",
  documentation: "https://gutendex.com/",
  access: "api",
  pace: { perMinute: 30, burst: 15 },
  sources: { books: { weight: 0.8, index: "gutenberg", honours: [], request, parse } }
} as const satisfies Engine
