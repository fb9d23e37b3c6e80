import { Schema } from "effect"
import { type Element } from "domhandler"
import { imageFound } from "../../domain/Found.ts"
import { type Region } from "../../domain/Region.ts"
import { type Found } from "../../domain/ResultItem.ts"
import { webUrl } from "../../domain/WebUrl.ts"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  fault,
  pageAfter,
  type Parsed,
  results,
  succeeded
} from "./Engine.ts"
import { fileNameOf } from "./FileName.ts"
import * as Json from "./Json.ts"
import { ancestor, all, attribute, first, htmlPage, type Page, textOf } from "./Page.ts"
import { acceptLanguage, params } from "./Request.ts"

/**
 * Bing Images, the tiles that its own page loads (`/images/async`). No API any more
 * (https://learn.microsoft.com/en-us/bing/search-apis/ closed in August 2025). Stay below 10 requests a minute.
 *
 * - Market: reports disagree whether query parameters, cookies or nothing works; parameters were seen to bring empty
 *   pages, and a market that does not fit the address unrelated results. So: nothing for `wt-wt` and for the default
 *   `us-en`, else the cookies `_EDGE_S` and `_EDGE_CD` with `Accept-Language`.
 * - Tiles repeat within a page; they are told apart by the picture's file. Matched words stand between U+E000 and U+E001.
 * - Blocks with a Turnstile page ("One last step") under 200.
 */
const selectors = {
  grid: ".dgControl",
  tile: "a.iusc[m]",
  size: ".img_info .nowrap",
  source: ".lnkw a",
  title: ".infnmpt a",
  nothing: "li.b_no, .b_no, .no_res, #no_res",
  block: "div.captcha, .captcha_header, .captcha_text, #turnstile-widget"
} as const

const endpoint = "https://www.bing.com/images/async"
const pageSize = 35

const minutes = { d: 1_440, w: 10_080, m: 44_640, y: 525_600 } as const
const kinds = {
  photo: "photo-photo",
  clipart: "photo-clipart",
  gif: "photo-animatedgif",
  transparent: "photo-transparent",
  line: "photo-linedrawing"
} as const
const adult = { on: "STRICT", moderate: "DEMOTE", off: "OFF" } as const
const adlt = { on: "strict", moderate: "moderate", off: "off" } as const

/** Markets Bing has for a country whose wanted language it does not serve. */
const mainMarkets: Readonly<Record<string, string>> = {
  "en-id": "id-id",
  "en-il": "he-il",
  "en-my": "ms-my",
  "en-th": "th-th",
  "en-vn": "vi-vn",
  "ca-es": "es-es",
  "es-us": "en-us",
  "zh-hk": "en-hk"
}

const marketOf = (region: Region): string | null => {
  if (region.country === null || region.code === "us-en") return null
  const market = `${region.language}-${region.country.toLowerCase()}`
  return mainMarkets[market] ?? market
}

const colorOf = (color: NonNullable<EngineQuery<"images">["color"]>): string =>
  color === "color" ? "color2-color" : color === "Monochrome" ? "color2-bw" : `color2-FGcls_${color.toUpperCase()}`

const filtersOf = (query: EngineQuery<"images">): string | null => {
  const chosen = [
    query.timelimit && `age-lt${minutes[query.timelimit]}`,
    query.size && `imagesize-${query.size.toLowerCase()}`,
    query.color && colorOf(query.color),
    query.type_image && kinds[query.type_image],
    query.layout && `aspect-${query.layout.toLowerCase()}`
  ].filter((filter) => filter !== null)
  return chosen.length === 0 ? null : chosen.map((filter) => `+filterui:${filter}`).join("")
}

const request = (query: EngineQuery<"images">, cursor: Cursor) => {
  const market = marketOf(query.region)
  return {
    method: "GET" as const,
    url: endpoint,
    params: params({
      q: query.text,
      async: 1,
      first: (cursor.page - 1) * pageSize + 1,
      count: pageSize,
      qft: filtersOf(query),
      adlt: adlt[query.safesearch]
    }),
    headers: {
      Referer: "https://www.bing.com/",
      "Sec-Fetch-Site": "same-origin",
      ...(market === null ? {} : { "Accept-Language": acceptLanguage(query.region) })
    },
    cookies: {
      SRCHHPGUSR: `ADLT=${adult[query.safesearch]}`,
      ...(market === null
        ? {}
        : { _EDGE_S: `mkt=${market}&ui=${query.region.language}`, _EDGE_CD: `m=${market}&u=${market}` })
    },
    persona: "browser" as const,
    follow: true
  }
}

const Tile = Schema.parseJson(
  Schema.Struct({ murl: Json.text, turl: Json.text, purl: Json.text, t: Json.text, desc: Json.text })
)
const decodeTile = Json.decodeItem(Tile)

/** A parameter of the link to the tile's own page; it repeats the picture's address and size. */
const linked = (tile: Element, name: string): string | null => {
  const href = attribute(tile, "href") ?? ""
  return URL.canParse(href, endpoint) ? new URL(href, endpoint).searchParams.get(name) : null
}

/** "1000×1000", at times with " · jpeg" behind it. */
const sizeOf = (tile: Element, shown: string): { readonly width: number | null; readonly height: number | null } => {
  const [, width = linked(tile, "expw"), height = linked(tile, "exph")] =
    /(\d{1,6})\s?[×x]\s?(\d{1,6})/.exec(shown) ?? []
  return { width: width === null ? null : Number(width), height: height === null ? null : Number(height) }
}

const firstSaid = (...texts: ReadonlyArray<string | null>): string | null =>
  texts.find((text) => text !== null && text.replace(/[\ue000\ue001\s]/g, "") !== "") ?? null

/** What a tile is read out as; tiles of related searches have no other title, and no page but Bing's own. */
const labelOf = (tile: Element): string | null =>
  attribute(tile, "aria-label")?.replace(/^"|(?: Image Result for .*)$/g, "") ?? null

const found = (tile: Element): Found<"images"> | null => {
  const data = decodeTile(attribute(tile, "m"))
  if (data === null) return null
  const parent = ancestor(tile, "li") ?? tile.parent ?? tile
  const source = first(parent, selectors.source)
  const title = first(parent, selectors.title)
  const image = firstSaid(data.murl, linked(tile, "mediaurl"))
  return image === null
    ? null
    : imageFound({
        title: firstSaid(data.t, attribute(title, "title"), textOf(title), data.desc, labelOf(tile), fileNameOf(image)),
        url:
          webUrl(data.purl) ?? webUrl(attribute(source, "href")) ?? webUrl(attribute(tile, "href"), endpoint) ?? image,
        image,
        thumbnail: data.turl,
        ...sizeOf(tile, textOf(first(parent, selectors.size))),
        source: firstSaid(attribute(source, "title"), textOf(source))
      })
}

/** The grid names the address of what follows; where there is no grid, a full page is followed by another. */
const hasNext = (page: Page, tiles: number): boolean => {
  const grids = all(page, selectors.grid)
  return grids.length === 0
    ? tiles >= pageSize
    : grids.some((grid) => (attribute(grid, "data-nexturl") ?? "").trim() !== "")
}

const saysNothing = /\b(?:there are no|no (?:image )?)results\b|\bno images (?:were )?found\b/i

const parse = (answer: EngineAnswer, _query: EngineQuery<"images">, cursor: Cursor): Parsed<"images"> => {
  const page = succeeded(answer) ? htmlPage(answer.body) : null
  if (page === null) return fault("layout_changed")
  const tiles = all(page, selectors.tile)
  if (tiles.length === 0) {
    if (first(page, selectors.block) !== null) return fault("blocked")
    const ended = cursor.page > 1 && first(page, selectors.grid) !== null
    const nothing = first(page, selectors.nothing) !== null || saysNothing.test(textOf(page))
    return ended || nothing ? empty : fault("layout_changed")
  }
  const items = tiles.map(found).filter((item) => item !== null)
  const seen = new Set<string | null>()
  const once = items.filter(({ image }) => image === null || (!seen.has(image) && seen.add(image)))
  return results(once, hasNext(page, tiles.length) ? pageAfter(cursor) : null)
}

export const bing = {
  name: "bing",
  website: "https://www.bing.com",
  documentation: "https://learn.microsoft.com/en-us/bing/search-apis/",
  access: "page",
  pace: { perMinute: 10, burst: 10 },
  sources: {
    images: {
      weight: 1,
      honours: ["region", "safesearch", "timelimit", "size", "color", "type_image", "layout"],
      request,
      parse
    }
  }
} as const satisfies Engine
