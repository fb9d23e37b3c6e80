import { Schema } from "effect"
import { type Element, isTag } from "domhandler"
import { isoOfText } from "../../../../domain/Dates.ts"
import { rawVideo } from "../../../../domain/RawResult.ts"
import { plainLine, plainLineOrNull } from "../../../../domain/PlainText.ts"
import { type RawResult } from "../../../../domain/ResultItem.ts"
import { webUrl } from "../../../../domain/WebUrl.ts"
import {
  type Cursor,
  empty,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Parsed,
  results,
  type Source,
  succeeded
} from "../../Engine.ts"
import { countOf, secondsOf } from "../../toolkit/Figures.ts"
import * as Json from "../../toolkit/JsonValue.ts"
import { all, attribute, first, hasClass, htmlPage, type Page, textOf, textOfHtml } from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"
import { adlt, buildRequest, isBlock, isNothing, isRepeated, origin, pageAfter, pictureOf, target } from "./Common.ts"

const selectors = {
  grid: "[data-svcptid=VideoResults]",
  tile: "[mmeta], [id*=mc_vtvc_video]",
  bareTile: "[vrhm]",
  data: "[mmeta]",
  details: "[vrhm]",
  linked: "[ourl]",
  title: ".mc_vtvc_title",
  duration: ".mc_bc_rc.items, .mc_bc.items",
  rows: ".mc_vtvc_meta_row",
  cells: ".mc_vtvc_meta_block span",
  views: ".meta_vc_content",
  date: ".meta_pd_content",
  picture: "img[alt]"
} as const

const channelClass = "mc_vtvc_meta_row_channel"

/** Sources of large pictures. The tile's data has a small picture. */
const pictures = [
  ["img[data-src-hq]", "data-src-hq"],
  [".rms_iac[data-src]", "data-src"],
  ["img[data-src]", "data-src"]
] as const

const pageSize = 40

const minutes = { d: 1_440, w: 10_080, m: 44_640, y: 525_600 } as const

const filtersOf = ({ duration, resolution, timelimit }: EngineQuery<"videos">): string | null => {
  const chosen = [
    timelimit && `videoage-lt${minutes[timelimit]}`,
    duration && `duration-${duration}`,
    resolution === "high" ? "resolution-720p" : null
  ].filter((filter) => filter !== null)
  return chosen.length === 0 ? null : chosen.map((filter) => `+filterui:${filter}`).join("")
}

const request = (query: EngineQuery<"videos">, cursor: Cursor) => {
  const filters = filtersOf(query)
  return buildRequest(
    query,
    "videos/search",
    params({
      q: query.text,
      first: (cursor.page - 1) * pageSize + 1,
      count: pageSize,
      qft: filters,
      FORM: filters === null ? "HDRSC3" : "VRFLTR",
      adlt: adlt[query.safesearch]
    }),
    { isScript: false }
  )
}

const Data = Schema.parseJson(
  Schema.Struct({
    murl: Json.text,
    pgurl: Json.text,
    purl: Json.text,
    turl: Json.text,
    smturl: Json.text,
    vt: Json.text,
    du: Json.text
  })
)
const decodeData = Json.decodeItem(Data)

/**
 * Returns the texts of the rows below the title, without views, date and channel. This is the site ("YouTube"); older
 * tiles have further texts.
 */
const plainRows = (tile: Element): ReadonlyArray<string> => {
  const rows = all(tile, selectors.rows).filter((row) => !hasClass(row, channelClass))
  const cells = rows.length > 0 ? rows.flatMap((row) => row.children.filter(isTag)) : all(tile, selectors.cells)
  return cells
    .filter((cell) => !["meta_vc_content", "meta_pd_content", channelClass].some((name) => hasClass(cell, name)))
    .map((cell) => plainLine(textOf(cell)))
    .filter((text) => /\p{L}/u.test(text))
}

const said = (tile: Element, selector: string): string | null => plainLineOrNull(textOf(first(tile, selector)))

const found = (tile: Element, now: number): RawResult<"videos"> | null => {
  const details = attribute(tile, "vrhm") ?? attribute(first(tile, selectors.details), "vrhm")
  const own = attribute(tile, "mmeta") ?? attribute(first(tile, selectors.data), "mmeta")
  const data = [decodeData(own), decodeData(details)].filter((one) => one !== null)
  const title = first(tile, selectors.title)
  const rows = plainRows(tile)
  const titles = [
    attribute(title, "title"),
    textOf(title),
    ...data.map(({ vt }) => textOfHtml(vt)),
    attribute(first(tile, selectors.picture), "alt")
  ]
  const links = [
    ...data.map(({ murl }) => murl),
    ...data.flatMap(({ pgurl, purl }) => [pgurl, purl]),
    attribute(first(tile, selectors.linked), "ourl")
  ]
  const views = countOf(said(tile, selectors.views))
  const dates = [said(tile, selectors.date), ...rows].map((text) => isoOfText(text, now))
  const publisher =
    rows.find((row) => !/\d/.test(row)) ?? rows.find((row) => isoOfText(row, now) === null && countOf(row) === null)
  const picture = pictureOf(tile, ...pictures)
  const small = data.map(({ turl }) => webUrl(turl, origin)).find((link) => link !== null) ?? null
  return rawVideo({
    title: titles.map(plainLineOrNull).find((text) => text !== null) ?? null,
    url: links.map(target).find((link) => link !== null) ?? null,
    seconds:
      secondsOf(said(tile, selectors.duration)) ??
      data.map(({ du }) => secondsOf(du)).find((one) => one !== null) ??
      null,
    images: {
      large: picture,
      medium: picture ?? small,
      small: small ?? picture,
      motion: data.map(({ smturl }) => webUrl(smturl, origin)).find((link) => link !== null) ?? null
    },
    provider: publisher,
    published: dates.find((date) => date !== null) ?? null,
    publisher,
    uploader: said(tile, `.${channelClass}`),
    views: views ?? rows.filter((row) => /view/i.test(row)).map(countOf)[0] ?? null
  })
}

/** Returns the tiles of the grid. Carousels outside of the grid repeat its tiles. */
const tilesOf = (page: Page): ReadonlyArray<Element> => {
  const grid = first(page, selectors.grid) ?? page
  const tiles = all(grid, selectors.tile)
  return tiles.length === 0 ? all(grid, selectors.bareTile) : tiles
}

const parse = (answer: EngineAnswer, query: EngineQuery<"videos">, cursor: Cursor): Parsed<"videos"> => {
  const page = succeeded(answer) ? htmlPage(answer.body) : null
  if (page === null) return fault("layout_changed")
  const tiles = tilesOf(page)
  const seen = new Set<string>()
  const items = tiles
    .map((tile) => found(tile, query.now))
    .filter((item) => item !== null)
    .filter(({ url }) => !seen.has(url) && seen.add(url))
  if (items.length === 0) {
    if (isBlock(page)) return fault("blocked")
    return tiles.length === 0 && isNothing(page, query.text) ? empty : fault("layout_changed")
  }
  const urls = items.map(({ url }) => url)
  if (isRepeated(urls, cursor)) return empty
  // There is no pager, and pages are rarely full. At least half a page is assumed to have a next page.
  return results(items, items.length >= pageSize / 2 ? pageAfter(urls, cursor) : null)
}

export const videos = {
  weight: 1,
  honours: ["region", "safesearch", "timelimit", "resolution", "duration"],
  lacks: ({ resolution }) => (resolution === "standard" ? ["resolution"] : []),
  request,
  parse
} as const satisfies Source<"videos">
