import { Schema } from "effect"
import { type Element, isTag } from "domhandler"
import { rawImage } from "../../../../domain/RawResult.ts"
import { type RawResult } from "../../../../domain/ResultItem.ts"
import { canParseUrl, webUrl } from "../../../../domain/WebUrl.ts"
import {
  type Cursor,
  empty,
  type EngineAnswer,
  type EngineQuery,
  fault,
  pageAfter,
  type Parsed,
  results,
  type Source,
  succeeded
} from "../../Engine.ts"
import { fileNameOf } from "../../toolkit/FileName.ts"
import * as Json from "../../toolkit/JsonValue.ts"
import {
  all,
  ancestor,
  attribute,
  decodeEntities,
  first,
  hasClass,
  htmlPage,
  type Page,
  textOf
} from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"
import { absolute, adlt, buildRequest, isBlock, isNothing, origin } from "./Common.ts"

const selectors = {
  grid: ".dgControl",
  tile: "a.iusc[m]",
  size: ".img_info .nowrap",
  source: ".lnkw a",
  title: ".infnmpt a"
} as const

/** Class of the caption below a picture. */
const below = "infopt"

const pageSize = 35

const minutes = { d: 1_440, w: 10_080, m: 44_640, y: 525_600 } as const
const kinds = {
  photo: "photo-photo",
  clipart: "photo-clipart",
  gif: "photo-animatedgif",
  transparent: "photo-transparent",
  line: "photo-linedrawing"
} as const

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

const request = (query: EngineQuery<"images">, cursor: Cursor) =>
  buildRequest(
    query,
    "images/async",
    params({
      q: query.text,
      async: 1,
      first: (cursor.page - 1) * pageSize + 1,
      count: pageSize,
      qft: filtersOf(query),
      adlt: adlt[query.safesearch]
    })
  )

const Tile = Schema.parseJson(
  Schema.Struct({ murl: Json.text, turl: Json.text, purl: Json.text, t: Json.text, desc: Json.text })
)
const decode = Json.decodeItem(Tile)

/** Decodes the tile's attribute. Collapses whitespace first, because a formatter can insert line breaks. */
const decodeTile = (data: string | null) => decode(data?.replace(/\s+/g, " "))

/** Returns a parameter of the link to the tile's own page. The link repeats the picture's URL and size. */
const linked = (tile: Element, name: string): string | null => {
  const href = attribute(tile, "href") ?? ""
  return canParseUrl(href, origin) ? new URL(href, origin).searchParams.get(name) : null
}

/** Parses a size such as "1000×1000", sometimes followed by " · jpeg". Falls back to the link's parameters. */
const sizeOf = (tile: Element, shown: string): { readonly width: number | null; readonly height: number | null } => {
  const [, width = linked(tile, "expw"), height = linked(tile, "exph")] =
    /(\d{1,6})\s?[×x]\s?(\d{1,6})/.exec(shown) ?? []
  return { width: width === null ? null : Number(width), height: height === null ? null : Number(height) }
}

const firstSaid = (...texts: ReadonlyArray<string | null>): string | null =>
  texts.find((text) => text !== null && text.replace(/[\ue000\ue001\s]/g, "") !== "") ?? null

/**
 * Returns the accessible label of a tile. Tiles of related searches have no other title and link only to Bing's own
 * page.
 */
const labelOf = (tile: Element): string | null =>
  attribute(tile, "aria-label")
    ?.trim()
    .replace(/^"|(?: Image Result for .*)$/g, "") ?? null

/** Maximum number of child nodes. An element with more child nodes also contains other tiles. */
const mostNodes = 50

/** Returns true for an element that contains a tile and its caption. */
const isFrame = ({ children, name }: Element): boolean =>
  name === "li" || (children.length <= mostNodes && children.some((child) => isTag(child) && hasClass(child, below)))

const isBeside = ({ children }: Element): boolean => children.length <= mostNodes

const found = (tile: Element): RawResult<"images"> | null => {
  const data = decodeTile(attribute(tile, "m"))
  if (data === null) return null
  const parent =
    ancestor(tile, isFrame) ??
    (tile.parent !== null && isTag(tile.parent) && isBeside(tile.parent) ? tile.parent : tile)
  const source = first(parent, selectors.source)
  const title = first(parent, selectors.title)
  const image = absolute(data.murl) ?? linked(tile, "mediaurl")
  return image === null
    ? null
    : rawImage({
        title: decodeEntities(
          firstSaid(data.t, attribute(title, "title"), textOf(title), data.desc, labelOf(tile), fileNameOf(image)) ?? ""
        ),
        url:
          absolute(data.purl) ?? webUrl(attribute(source, "href")) ?? webUrl(attribute(tile, "href"), origin) ?? image,
        image,
        thumbnail: webUrl(data.turl, origin),
        ...sizeOf(tile, textOf(first(parent, selectors.size))),
        source: firstSaid(attribute(source, "title"), textOf(source))
      })
}

/**
 * Returns true if the grid gives the URL of the next page. Without a grid, a full page is assumed to have a next page.
 */
const hasNext = (page: Page, tiles: number): boolean => {
  const grids = all(page, selectors.grid)
  return grids.length === 0
    ? tiles >= pageSize
    : grids.some((grid) => (attribute(grid, "data-nexturl") ?? "").trim() !== "")
}

const parse = (answer: EngineAnswer, query: EngineQuery<"images">, cursor: Cursor): Parsed<"images"> => {
  const page = succeeded(answer) ? htmlPage(answer.body) : null
  if (page === null) return fault("layout_changed")
  const tiles = all(page, selectors.tile)
  if (tiles.length === 0) {
    if (isBlock(page)) return fault("blocked")
    const ended = cursor.page > 1 && first(page, selectors.grid) !== null
    return ended || isNothing(page, query.text) ? empty : fault("layout_changed")
  }
  const items = tiles.map(found).filter((item) => item !== null)
  const seen = new Set<string | null>()
  const once = items.filter(({ image }) => image === null || (!seen.has(image) && seen.add(image)))
  return results(once, hasNext(page, tiles.length) ? pageAfter(cursor) : null)
}

export const images = {
  weight: 1,
  honours: ["region", "safesearch", "timelimit", "size", "color", "type_image", "layout"],
  request,
  parse
} as const satisfies Source<"images">
