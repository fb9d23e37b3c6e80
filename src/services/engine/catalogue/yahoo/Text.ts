import { type Element, isTag } from "domhandler"
import { rawText } from "../../../../domain/RawResult.ts"
import { type Region } from "../../../../domain/Region.ts"
import { type RawResult } from "../../../../domain/ResultItem.ts"
import {
  type Cursor,
  empty,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Reading,
  results,
  type Source,
  succeeded
} from "../../Engine.ts"
import { all, attribute, first, hasClass, htmlPage, textOf, textOfHtml } from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"
import { passageOf } from "../../toolkit/Snippet.ts"
import {
  buildRequest,
  retryStep,
  formValue,
  isNothing,
  isRefusal,
  nextPageCursor,
  startOf,
  target,
  languageCodeOf
} from "./Common.ts"

const selectors = {
  result: "div.algo-sr, div.relsrch, div.algo",
  links: [".compTitle h3 a[href]", ".compTitle > a[href]", ".compTitle a[href]", "h3 a[href]"],
  heading: ".compTitle h3, h3",
  snippets: [".compText p", ".compText"]
} as const

/** Class of the URL that a heading shows above the title. */
const address = "p-abs"
/** Class of the date at the start of a snippet. */
const date = "fc-smoke"

const pageSize = 7
const mainHost = "search.yahoo.com"

/** First labels of the country hosts. For countries without a host, `tongueHosts` lists the languages that have one. */
const countryHosts: Readonly<Record<string, string>> = {
  AR: "ar",
  BR: "br",
  CA: "ca",
  CL: "cl",
  CN: "hk",
  CO: "co",
  ES: "espanol",
  GB: "uk",
  HK: "hk",
  IN: "in",
  MX: "mx",
  PE: "pe",
  PH: "ph",
  SG: "sg",
  TH: "th",
  TW: "tw"
}
const languageHosts = new Set("ar de es fi fr hu it lt lv nl no pl pt ro ru sv tr".split(" "))

const hostOf = (region: Region): string => {
  const tongue = languageCodeOf(region)
  const label = countryHosts[region.country ?? ""] ?? (languageHosts.has(tongue) ? tongue : null)
  return label === null ? mainHost : `${label}.${mainHost}`
}

const limits = { d: "d", w: "w", m: "m", y: null } as const

/** Sends the same parameters as the page's links for a time limit and for further pages. */
const request = (query: EngineQuery<"text">, cursor: Cursor) => {
  const limit = query.timelimit && limits[query.timelimit]
  return buildRequest(
    query,
    formValue(cursor, "host") ?? hostOf(query.region),
    params({
      p: query.text,
      ...(limit === null ? {} : { fr2: "time", btf: limit }),
      ...(cursor.page === 1
        ? { iscqry: "" }
        : {
            b: startOf(cursor, pageSize),
            pz: formValue(cursor, "pz") ?? pageSize,
            bct: formValue(cursor, "bct") ?? 0,
            xargs: formValue(cursor, "xargs") ?? 0
          })
    })
  )
}

const titleOf = (link: Element, heading: Element | null): string => {
  const label = textOfHtml(attribute(link, "aria-label"))?.trim() ?? ""
  // The label of a link that contains the whole heading also includes the displayed URL.
  if (label !== "" && first(link, "h3") === null) return label
  const around = heading !== null && first(heading, "a") !== null ? link : heading
  return (around?.children ?? [])
    .filter((child) => !(isTag(child) && hasClass(child, address)))
    .map((child) => textOf(child))
    .join("")
}

const found = (result: Element, now: number): RawResult<"text"> | null => {
  const link = selectors.links.map((selector) => first(result, selector)).find((one) => one !== null) ?? null
  if (link === null) return null
  const snippet = selectors.snippets.map((selector) => first(result, selector)).find((one) => one !== null) ?? null
  return rawText({
    title: titleOf(link, first(result, selectors.heading)),
    url: target(attribute(link, "href")),
    body: snippet && passageOf(snippet, [date], now)
  })
}

const parse = (answer: EngineAnswer, query: EngineQuery<"text">, cursor: Cursor): Reading<"text"> => {
  const again = retryStep(answer, cursor)
  if (again !== null) return again
  const page = htmlPage(answer.body)
  if (page === null) return fault("layout_changed")
  const listed = all(page, selectors.result)
  if (listed.length === 0 && isRefusal(page, query.text)) return fault("blocked")
  if (!succeeded(answer)) return fault("layout_changed")
  if (listed.length === 0) return isNothing(page, query.text) ? empty : fault("layout_changed")
  const seen = new Set<string>()
  return results(
    listed
      .map((result) => found(result, query.now))
      .filter((item) => item !== null)
      .filter(({ url }) => !seen.has(url) && seen.add(url)),
    nextPageCursor(page, cursor, startOf(cursor, pageSize), listed.length >= pageSize)
  )
}

export const text = {
  weight: 0.9,
  index: "bing",
  honours: ["region", "safesearch", "timelimit"],
  lacks: ({ region, timelimit }) => [
    ...(timelimit === "y" ? (["timelimit"] as const) : []),
    ...(region.country !== null && hostOf(region) === mainHost && languageCodeOf(region) === "any"
      ? (["region"] as const)
      : [])
  ],
  request,
  // Some language hosts may not exist.
  fallback: { page: 1, form: [["host", mainHost]] },
  parse
} as const satisfies Source<"text">
