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
import { params } from "../toolkit/Request.ts"

/**
 * Open Library, the Internet Archive's catalogue. https://openlibrary.org/dev/docs/api/search
 *
 * - Three requests a second with a User-Agent that names a contact, one without. A higher rate returns 403 or 429.
 * - An item is a work, so `publisher` and `isbn` are those of one of its editions. Languages are three-letter codes.
 */
const Answer = Schema.Struct({ numFound: Json.number, docs: Json.items })

const Work = Schema.Struct({
  key: Json.text,
  title: Json.text,
  author_name: Json.list(Schema.String),
  first_publish_year: Json.number,
  isbn: Json.list(Schema.String),
  cover_i: Json.number,
  language: Json.list(Schema.String),
  publisher: Json.list(Schema.String),
  number_of_pages_median: Json.number,
  ebook_access: Json.text
})

const site = "https://openlibrary.org"
const pageSize = 50

const request = (query: EngineQuery<"books">, cursor: Cursor) => ({
  method: "GET" as const,
  url: `${site}/search.json`,
  params: params({
    q: query.text,
    page: cursor.page,
    limit: pageSize,
    fields: Object.keys(Work.fields).join(",")
  }),
  persona: "program" as const,
  follow: true
})

/** Maximum number of languages in the info line. `language` has all of them. */
const namedLanguages = 5

const readable: Readonly<Record<string, string>> = { public: "free ebook", borrowable: "ebook to borrow" }

const infoOf = (work: typeof Work.Type): string =>
  [
    work.language.slice(0, namedLanguages).join(", ") + (work.language.length > namedLanguages ? ", ..." : ""),
    readable[work.ebook_access ?? ""] ?? "",
    work.number_of_pages_median === null ? "" : `${work.number_of_pages_median} pages`,
    work.first_publish_year === null ? "" : String(work.first_publish_year)
  ]
    .filter((part) => part !== "")
    .join("; ")

/**
 * Returns the path of a work. In old answers, the key has no path. Without a key, the path is that of the book's ISBN.
 */
const pathOf = ({ isbn: [isbn], key }: typeof Work.Type): string | null => {
  if (key !== null) return key.startsWith("/") ? key : `/works/${key}`
  return isbn === undefined ? null : `/isbn/${encodeURIComponent(isbn.toWellFormed())}`
}

const decode = Json.decodeBody(Answer)
const decodeWork = Json.decodeItem(Work)

const parse = (answer: EngineAnswer, _query: EngineQuery<"books">, cursor: Cursor): Parsed<"books"> => {
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  if (body.docs.length === 0) return body.numFound === 0 || cursor.page > 1 ? empty : fault("layout_changed")
  const items = body.docs.map(decodeWork).map((work) =>
    work === null
      ? null
      : rawBook({
          title: work.title,
          url: pathOf(work),
          base: site,
          authors: work.author_name,
          publisher: work.publisher[0] ?? null,
          info: infoOf(work),
          thumbnail:
            work.cover_i === null || work.cover_i <= 0
              ? null
              : `https://covers.openlibrary.org/b/id/${work.cover_i}-M.jpg`,
          year: work.first_publish_year,
          languages: work.language,
          isbns: work.isbn
        })
  )
  return results(items, cursor.page * pageSize < (body.numFound ?? 0) ? pageAfter(cursor) : null)
}

export const openlibrary = {
  name: "openlibrary",
  website: site,
  documentation: "https://openlibrary.org/dev/docs/api/search",
  access: "api",
  pace: { perMinute: 60, burst: 30 },
  sources: { books: { weight: 1, honours: [], request, parse } }
} as const satisfies Engine
