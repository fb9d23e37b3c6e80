import { Option, Schema } from "effect"
import { rawBook } from "../../../domain/RawResult.ts"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Fault,
  pageAfter,
  type Parsed,
  results
} from "../Engine.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { params } from "../toolkit/Request.ts"

/**
 * Google Books. https://developers.google.com/books/docs/v1/reference/volumes/list
 *
 * - Since 2026, the quota that all clients without a key share is 0 requests a day (429, `quota_limit_value` "0"):
 *   `blocked`. With `GOOGLE_API_KEY`, the quota is 1,000 requests a day and 100 a minute.
 * - At most 40 results a page. `totalItems` is an estimate that changes from page to page, so any full page can have a
 *   next page. Without results, `items` is omitted, whatever the estimate is.
 * - Cover URLs use http.
 */
const Answer = Schema.Struct({
  kind: Json.text,
  totalItems: Json.number,
  items: Schema.optional(Json.items)
})

const Volume = Schema.Struct({
  id: Json.text,
  volumeInfo: Schema.Struct({
    title: Json.text,
    subtitle: Json.text,
    authors: Json.list(Schema.String),
    publisher: Json.text,
    publishedDate: Json.text,
    industryIdentifiers: Json.list(Schema.Struct({ type: Schema.String, identifier: Schema.String })),
    pageCount: Json.number,
    categories: Json.list(Schema.String),
    language: Json.text,
    imageLinks: Json.member(
      Schema.Struct({ thumbnail: Schema.optional(Schema.Unknown), smallThumbnail: Schema.optional(Schema.Unknown) })
    ),
    infoLink: Json.text,
    canonicalVolumeLink: Json.text
  })
})

const Refusal = Schema.Struct({
  error: Schema.Struct({
    code: Json.number,
    errors: Json.list(Schema.Struct({ reason: Schema.String })),
    details: Json.list(
      Schema.Struct({
        reason: Schema.optional(Schema.Unknown),
        metadata: Schema.optional(Schema.Struct({ quota_limit_value: Schema.optional(Schema.Unknown) }))
      })
    )
  })
})

const keyVariable = "GOOGLE_API_KEY"
const pageSize = 40
const lastPage = 25

const request = (query: EngineQuery<"books">, cursor: Cursor) => ({
  method: "GET" as const,
  url: "https://www.googleapis.com/books/v1/volumes",
  params: params({
    q: query.text,
    startIndex: (cursor.page - 1) * pageSize,
    maxResults: pageSize,
    printType: "books",
    orderBy: "relevance"
  }),
  secrets: [{ as: "param" as const, name: "key", variable: keyVariable }],
  persona: "program" as const,
  follow: true
})

const decode = Json.decodeBody(Answer)
const decodeVolume = Json.decodeItem(Volume)
const decodeRefusal = Schema.decodeUnknownOption(Schema.parseJson(Refusal))

const wrongKey = new Set(["API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_SERVICE_BLOCKED", "SERVICE_DISABLED"])
const tooMany = new Set(["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"])

/**
 * Maps an error of Google's APIs to a fault: `blocked` for no access, `rate_limited` for an exhausted quota,
 * `layout_changed` for others. Returns null for any other body.
 */
const refusalOf = (answer: EngineAnswer): Fault | null => {
  const refusal = Option.getOrNull(decodeRefusal(answer.body))?.error
  if (refusal === undefined) return null
  const isClosed = refusal.details.some(
    ({ metadata, reason }) =>
      metadata?.quota_limit_value === "0" || (typeof reason === "string" && wrongKey.has(reason))
  )
  if (isClosed) return fault("blocked")
  const isSpent = refusal.code === 429 || refusal.errors.some(({ reason }) => tooMany.has(reason))
  return fault(isSpent ? "rate_limited" : "layout_changed")
}

const infoOf = (book: typeof Volume.Type.volumeInfo): string =>
  [
    book.language ?? "",
    book.pageCount === null || book.pageCount <= 0 ? "" : `${book.pageCount} pages`,
    book.publishedDate ?? "",
    book.categories.join(", ")
  ]
    .filter((part) => part !== "")
    .join("; ")

const secure = (link: unknown): string | null =>
  typeof link === "string" ? link.replace(/^http:\/\//, "https://") : null

const pageOf = (id: string | null): string | null =>
  id === null ? null : `https://books.google.com/books?id=${encodeURIComponent(id.toWellFormed())}`

const bookOf = ({ id, volumeInfo: book }: typeof Volume.Type) =>
  rawBook({
    title: [book.title ?? "", book.subtitle ?? ""].filter((part) => part.trim() !== "").join(": "),
    url: pageOf(id) ?? secure(book.infoLink ?? book.canonicalVolumeLink),
    authors: book.authors,
    publisher: book.publisher,
    info: infoOf(book),
    thumbnail: secure(book.imageLinks?.thumbnail) ?? secure(book.imageLinks?.smallThumbnail),
    year: Number(/^\d{4}/.exec(book.publishedDate ?? "")?.[0] ?? NaN),
    languages: book.language === null ? [] : [book.language],
    isbns: book.industryIdentifiers.filter(({ type }) => /^ISBN/.test(type)).map(({ identifier }) => identifier)
  })

const parse = (answer: EngineAnswer, _query: EngineQuery<"books">, cursor: Cursor): Parsed<"books"> => {
  const body = decode(answer)
  if (body === null) return refusalOf(answer) ?? fault("layout_changed")
  const isTheirs = body.kind === "books#volumes" || (body.kind === null && body.totalItems !== null)
  const { items: volumes = [] } = body
  if (volumes.length === 0) {
    const saysNothing = body.items === undefined || body.totalItems === 0 || cursor.page > 1
    return isTheirs && saysNothing ? empty : (refusalOf(answer) ?? fault("layout_changed"))
  }
  const items = volumes.map(decodeVolume).map((volume) => volume && bookOf(volume))
  return results(items, volumes.length >= pageSize && cursor.page < lastPage ? pageAfter(cursor) : null)
}

export const googlebooks = {
  name: "googlebooks",
  website: "https://books.google.com",
  documentation: "https://developers.google.com/books/docs/v1/reference/volumes/list",
  access: "api",
  keys: { variables: [keyVariable], required: false },
  pace: { perMinute: 30, burst: 10 },
  sources: { books: { weight: 1, honours: [], request, parse } }
} as const satisfies Engine
