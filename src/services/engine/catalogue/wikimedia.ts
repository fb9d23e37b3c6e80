import { Schema } from "effect"
import { oldestWithin } from "../../../domain/Dates.ts"
import { rawImage } from "../../../domain/RawResult.ts"
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
import { memberAt, textAt } from "../toolkit/Literal.ts"
import { busy, pagesOf, saysNothing } from "../toolkit/MediaWiki.ts"
import { firstPoints, params } from "../toolkit/Request.ts"

/**
 * Wikimedia Commons: freely licensed pictures, maps and drawings. https://www.mediawiki.org/wiki/API:Search describes
 * the API, https://www.mediawiki.org/wiki/Help:CirrusSearch the query terms.
 *
 * - Requires a User-Agent with the tool's name and a contact. Otherwise it returns 403, or 429 with `Retry-After`.
 *   Clients should send one request at a time: https://www.mediawiki.org/wiki/API:Etiquette
 * - Filters are query terms and count towards the limit of 300 characters. Sizes are the square root of the pixel
 *   count. Both types of drawing are sent as `drawing`. `gif` and `transparent` select file formats that support
 *   animation or transparency. There are no filters for colour or layout and no safe search. All languages are searched
 *   at once.
 * - An answer without hits has no `query`. Hits are ordered by page id; `index` is their rank.
 * - Thumbnails have fixed widths only (20, 40, 60, 120, 250, 330, 500, …). Other widths are rejected.
 */
const Page = Schema.Struct({
  title: Json.text,
  imageinfo: Schema.Tuple([Schema.Unknown], Schema.Unknown)
})

const File = Schema.Struct({
  url: Json.text,
  thumburl: Json.text,
  descriptionurl: Json.text,
  width: Json.number,
  height: Json.number,
  mime: Json.text
})

const pageSize = 50
const deepestOffset = 10_000
const longestQuery = 300
const thumbnailWidth = 330

const kinds = {
  photo: "filetype:bitmap filemime:image/jpeg",
  clipart: "filetype:drawing",
  line: "filetype:drawing",
  gif: "filemime:image/gif",
  transparent: "filemime:image/png"
} as const

const sizes = {
  Small: "fileres:<500",
  Medium: "fileres:>500 fileres:<1200",
  Large: "fileres:>1200",
  Wallpaper: "fileres:>1600"
} as const

const searched = (query: EngineQuery<"images">): string => {
  const since = query.timelimit && new Date(oldestWithin(query.timelimit, query.now)).toISOString().slice(0, 10)
  const words = [
    query.type_image === null ? "filetype:bitmap|drawing" : kinds[query.type_image],
    query.size === null ? "" : sizes[query.size],
    since === null ? "" : `creationdate:>=${since}`
  ].filter((word) => word !== "")
  const filters = words.join(" ")
  // Filters come first. After the text, an unclosed quotation would include them.
  return `${filters} ${firstPoints(query.text, longestQuery - filters.length - 1)}`
}

const request = (query: EngineQuery<"images">, cursor: Cursor) => ({
  method: "GET" as const,
  url: "https://commons.wikimedia.org/w/api.php",
  params: params({
    action: "query",
    generator: "search",
    gsrsearch: searched(query),
    gsrnamespace: 6,
    gsrlimit: pageSize,
    gsroffset: (cursor.page - 1) * pageSize,
    prop: "imageinfo",
    iiprop: "url|size|mime",
    iiurlwidth: thumbnailWidth,
    format: "json",
    formatversion: 2
  }),
  persona: "program" as const,
  follow: true
})

const decode = Json.decodeBody(Schema.Unknown)
const decodePage = Json.decodeItem(Page)
const decodeFile = Json.decodeItem(File)

/** Converts `File:Red panda (Ailurus fulgens).jpg` to a title: without namespace and file extension. */
const titleOf = (title: string | null): string =>
  (title ?? "")
    .replace(/^File:/, "")
    .replace(/\.\w{2,5}$/, "")
    .replaceAll("_", " ")

const parse = (answer: EngineAnswer, _query: EngineQuery<"images">, cursor: Cursor): Parsed<"images"> => {
  const body = decode(answer)
  if (busy.has(textAt(body, "error", "code") ?? "")) return fault("rate_limited")
  const pages = pagesOf(memberAt(body, "query", "pages"))
  if (pages === null) return saysNothing(body) ? empty : fault("layout_changed")
  const items = pages
    .map(decodePage)
    .filter((page) => page !== null)
    .map((page) => {
      const file = decodeFile(page.imageinfo[0])
      if (file === null || file.url === null || !(file.mime ?? "image/").startsWith("image/")) return null
      return rawImage({
        title: titleOf(page.title),
        url: file.descriptionurl ?? file.url,
        image: file.url,
        thumbnail: file.thumburl,
        width: file.width,
        height: file.height,
        source: "Wikimedia Commons"
      })
    })
  const more = memberAt(body, "continue", "gsroffset") !== null && cursor.page * pageSize < deepestOffset
  return results(items, more ? pageAfter(cursor) : null)
}

export const wikimedia = {
  name: "wikimedia",
  website: "https://commons.wikimedia.org",
  documentation: "https://www.mediawiki.org/wiki/API:Search",
  access: "api",
  pace: { perMinute: 120, burst: 30 },
  sources: {
    images: { weight: 0.8, honours: ["timelimit", "size", "type_image"], request, parse }
  }
} as const satisfies Engine
