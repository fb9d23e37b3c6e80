import { cutBefore } from "./Trim.ts"

/** A tag, its quoted attributes taken whole; no comments: Quarry's own HTML has none. */
const tag = /<(\/?)([a-z][a-z0-9]*)(?:[^>"']|"[^"]*"|'[^']*')*>/gi

const voids = new Set(["br", "hr", "img", "wbr", "col"])
const blocks = new Set(
  (
    "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd pre blockquote table caption thead tbody tfoot tr td th figure " +
    "figcaption div section article details summary hr"
  ).split(" ")
)

/**
 * Where a piece of Quarry's HTML that begins at `start` and may reach to `limit` ends (code units): after the last
 * whole top-level block that fits, so that the piece is balanced. A block that alone is longer than the room there is
 * is cut after the last block inside it that fits (a list item, a table row), else as text is, never inside a tag or
 * a character reference: then only the pieces put together are balanced.
 */
export const cutHtmlBefore = (html: string, start: number, limit: number): number => {
  let depth = 0
  /** Ends of blocks by how deep they stand; the last of the shallowest wins. */
  let best: { readonly depth: number; readonly end: number } | null = null
  const tags: Array<Range> = []
  for (const match of html.slice(start, limit).matchAll(tag)) {
    const [whole, slash, written = ""] = match
    const name = written.toLowerCase()
    const end = start + match.index + whole.length
    tags.push({ start: start + match.index, end })
    if (!voids.has(name)) depth += slash === "/" ? -1 : 1
    const isEnd = slash === "/" || voids.has(name)
    if (isEnd && blocks.has(name) && (best === null || depth <= best.depth)) best = { depth, end }
  }
  return best?.end ?? cutText(html, start, limit, tags)
}

interface Range {
  readonly start: number
  readonly end: number
}

const cutText = (html: string, start: number, limit: number, tags: ReadonlyArray<Range>): number => {
  const cut = cutBefore(html, start, limit)
  const unfinished = html.indexOf("<", tags.at(-1)?.end ?? start)
  const inTag = tags.find((range) => range.start < cut && cut < range.end)?.start
  const ampersand = html.lastIndexOf("&", cut - 1)
  const inReference = /^&#?[a-z0-9]*$/i.test(html.slice(ampersand, cut)) ? ampersand : cut
  const moved = inTag ?? (unfinished >= 0 && unfinished < cut ? unfinished : inReference)
  return moved > start ? moved : cut
}
