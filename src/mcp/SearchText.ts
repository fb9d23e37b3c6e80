import { type SearchAnswer, type UnifiedAnswer, type UnifiedItem } from "../domain/Answer.ts"
import { type SourceReceipt } from "../domain/Outcome.ts"
import { deepestResult } from "../domain/Query.ts"
import { type ItemOf } from "../domain/ResultItem.ts"
import { type SearchKind, searchKinds } from "../domain/SearchKind.ts"
import { codePointsOn } from "../domain/Trim.ts"

/** Code points of a passage: one line. */
const lineLength = 240

/** Code points after which a passage may end early, at a space. */
const earliestEnd = (2 * lineLength) / 3

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })

/** Where the character (grapheme cluster) that the cut would split begins; floods of combining marks are split. */
const wholeEnd = (text: string, cut: number, earliest: number): number => {
  const begin = graphemes.segment(text).containing(cut)?.index ?? cut
  return begin > earliest ? begin : cut
}

const oneLine = (text: string | null): string => {
  const line = (text ?? "")
    .slice(0, 16 * lineLength)
    .toWellFormed()
    .replace(/\s+/g, " ")
    .trim()
  const cut = codePointsOn(line, 0, lineLength)
  if (cut >= line.length) return line
  const earliest = codePointsOn(line, 0, earliestEnd)
  const space = line.lastIndexOf(" ", cut)
  return `${line.slice(0, space > earliest ? space : wholeEnd(line, cut, earliest))}…`
}

const day = (date: string | null) => date?.slice(0, 10) ?? null

const facts = (...parts: ReadonlyArray<string | number | null>) =>
  parts.filter((part) => part !== null && part !== "").join(" · ")

/** The lines below title and URL, by kind. */
const details: { readonly [K in SearchKind]: (item: ItemOf[K]) => ReadonlyArray<string> } = {
  text: ({ body }) => [oneLine(body)],
  images: ({ height, image, source, width }) => [
    image === null ? "" : `image: ${image}`,
    facts(width === null || height === null ? null : `${width}x${height}`, source)
  ],
  videos: ({ description, duration, published, publisher, statistics, uploader }) => [
    oneLine(description),
    facts(
      day(published),
      duration,
      uploader ?? publisher,
      statistics.viewCount === null ? null : `${statistics.viewCount} views`
    )
  ],
  news: ({ body, date, source }) => [oneLine(body), facts(day(date), source)],
  books: ({ author, info, isbn, publisher, year }) => [
    facts(author, year, publisher),
    facts(info, isbn === null ? null : `ISBN ${isbn}`)
  ]
}

const entry = (number: number, { title, url }: { title: string; url: string }, lines: ReadonlyArray<string>) =>
  [`${number}. ${oneLine(title)}`, url, ...lines.filter((line) => line !== "")].join("\n   ")

/** Engines that gave nothing for a reason other than that there is nothing. */
const failures = (sources: ReadonlyArray<SourceReceipt>) =>
  sources.flatMap(({ engine, outcome }) => (outcome === "ok" || outcome === "empty" ? [] : [`${engine} (${outcome})`]))

const silent = (sources: ReadonlyArray<SourceReceipt>): string => {
  const failed = failures(sources)
  return failed.length === 0 ? "" : `Did not answer: ${failed.join(", ")}.`
}

const paragraphs = (...parts: ReadonlyArray<string>) => parts.filter((part) => part !== "").join("\n\n")

interface Window {
  readonly page: number
  readonly max_results: number
}

/** What to call for the results after these; there are none after a page that is not full. */
const onward = (count: number, { max_results, page }: Window): string =>
  count === max_results && (page + 1) * max_results <= deepestResult
    ? `For more, call again with page=${page + 1}.`
    : ""

/** The answer of one kind: numbered, a few lines each, and how to go on. */
export const searchText =
  <K extends SearchKind>(kind: K) =>
  ({ query, results, sources }: SearchAnswer<K>, window: Window): string => {
    const first = (window.page - 1) * window.max_results
    if (results.length === 0) {
      const nothing = window.page > 1 ? `No results on page ${window.page} of` : "No results for"
      return paragraphs(`${nothing} "${query}". Try other words or fewer filters.`, silent(sources))
    }
    return paragraphs(
      `Results ${first + 1} to ${first + results.length} for "${query}":`,
      ...results.map((item, index) => entry(first + index + 1, item, details[kind](item))),
      onward(results.length, window),
      silent(sources)
    )
  }

const headings = {
  text: "Web pages",
  images: "Images",
  videos: "Videos",
  news: "News",
  books: "Books"
} as const satisfies Record<SearchKind, string>

const linesOf = (item: UnifiedItem): ReadonlyArray<string> => {
  switch (item.type) {
    case "text":
      return details.text(item)
    case "image":
      return details.images(item)
    case "video":
      return details.videos(item)
    case "news":
      return details.news(item)
    case "book":
      return details.books(item)
  }
}

/** The five kinds one after another, numbered throughout. */
export const unifiedText = ({ query, results, sources }: UnifiedAnswer): string => {
  const sections = searchKinds.map((kind) => {
    const { engines, error, results_count } = sources[kind]
    const before = searchKinds
      .slice(0, searchKinds.indexOf(kind))
      .reduce((sum, other) => sum + sources[other].results_count, 0)
    const items = results.slice(before, before + results_count)
    return paragraphs(
      `## ${headings[kind]}`,
      ...items.map((item, index) => entry(before + index + 1, item, linesOf(item))),
      error === null ? (items.length === 0 ? "No results." : "") : `${error.error}.`,
      silent(engines)
    )
  })
  return paragraphs(`Results for "${query}":`, ...sections, "For more of one kind, call its own search tool.")
}
