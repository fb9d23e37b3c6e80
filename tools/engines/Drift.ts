import { type EngineAnswer } from "../../src/services/engine/Engine.ts"
import { first, htmlPage, textOf } from "../../src/services/engine/toolkit/HtmlPage.ts"
import { type Exchange } from "./Ask.ts"
import { canParseUrl } from "../../src/domain/WebUrl.ts"

/** A page of results as far as it is compared. */
export interface Page {
  readonly items: ReadonlyArray<object>
  readonly next: object | null
}

/** How long a URL and a title may be shown, in characters. */
const longest = 120

const shown = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest)}…`)

/** An item's members by name, those within members too (`images.large`), and whether they say something. */
const membersOf = (item: object): ReadonlyArray<readonly [name: string, isThere: boolean]> =>
  Object.entries(item).flatMap(([name, value]: readonly [string, unknown]) =>
    typeof value === "object" && value !== null
      ? membersOf(value).map(([inner, isThere]) => [`${name}.${inner}`, isThere] as const)
      : [[name, value !== null && value !== ""] as const]
  )

/** Which part of the items has each member, 0 to 1. */
const sharesOf = (items: ReadonlyArray<object>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const [name, isThere] of items.flatMap(membersOf)) counts.set(name, (counts.get(name) ?? 0) + (isThere ? 1 : 0))
  return new Map(Array.from(counts, ([name, count]) => [name, count / items.length]))
}

const percent = (share: number): string => `${Math.round(share * 100)}%`

/**
 * Where a live page of results falls behind the fixture's: less than half of its results, a member that half of its
 * items or more have and the live ones have less than half as often, its further page.
 */
export const lost = (fixture: Page, live: Page): ReadonlyArray<string> => {
  const count = `results ${fixture.items.length} -> ${live.items.length}`
  const shares = sharesOf(live.items)
  const members = Array.from(sharesOf(fixture.items)).flatMap(([name, before]) => {
    const after = shares.get(name) ?? 0
    return before >= 0.5 && after < before / 2 ? [`${name} ${percent(before)} -> ${percent(after)}`] : []
  })
  return [
    ...(live.items.length * 2 < fixture.items.length ? [count] : []),
    ...members,
    ...(fixture.next !== null && live.next === null ? ["no further page"] : [])
  ]
}

const hostOf = (url: string, base?: string): string | null => (canParseUrl(url, base) ? new URL(url, base).host : null)

/** The host that an engine sends to, when it is not the one that was asked; null else. */
export const movedTo = ({ answer, request }: Exchange): string | null => {
  if (answer === null) return null
  const location = answer.status >= 300 && answer.status < 400 ? answer.headers["location"] : undefined
  const host = location === undefined ? hostOf(answer.url) : hostOf(location, answer.url)
  return host === hostOf(request.url) ? null : host
}

/** What an answer is, for whoever has to mend its reading: status, address, type, size, title. */
export const described = ({ body, headers, status, url }: EngineAnswer): string => {
  const page = /^\s*</.test(body) ? htmlPage(body) : null
  const title = page === null ? "" : textOf(first(page, "title")).replace(/\s+/g, " ").trim()
  return [
    `HTTP ${status}`,
    shown(url),
    headers["content-type"] ?? "no type",
    `${Buffer.byteLength(body)} bytes`,
    ...(title === "" ? [] : [`"${shown(title)}"`])
  ].join(", ")
}
