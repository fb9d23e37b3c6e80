import { type SearchAnswer, type UnifiedAnswer, type UnifiedItem } from "../domain/Answer.ts"
import { type SourceReceipt } from "../domain/Outcome.ts"
import { deepestResult } from "../domain/Query.ts"
import { type ItemOf } from "../domain/ResultItem.ts"
import { type SearchKind, searchKinds } from "../domain/SearchKind.ts"
import { codePointsOn } from "../domain/Trim.ts"
import { adviceOfPart } from "./Advice.ts"
import { costOf, fitting, tokenBudgetFor, shares } from "./TokenBudget.ts"
import { type TextOptions } from "./TextOptions.ts"

/** Maximum code points of a passage. The shorter lengths are used when not all results fit. */
const lineLengths = [240, 160, 80] as const
const lineLength = lineLengths[0]

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })

/**
 * Returns the start of the grapheme cluster that a cut would split. A cluster that starts at or before `earliest` is
 * split: only floods of combining marks are that long.
 */
const wholeEnd = (text: string, cut: number, earliest: number): number => {
  const begin = graphemes.segment(text).containing(cut)?.index ?? cut
  return begin > earliest ? begin : cut
}

const oneLine = (text: string | null, length: number = lineLength): string => {
  const line = (text ?? "")
    .slice(0, 16 * length)
    .toWellFormed()
    .replace(/\s+/g, " ")
    .trim()
  const cut = codePointsOn(line, 0, length)
  if (cut >= line.length) return line
  // Prefers a space in the last third.
  const earliest = codePointsOn(line, 0, (2 * length) / 3)
  const space = line.lastIndexOf(" ", cut)
  return `${line.slice(0, space > earliest ? space : wholeEnd(line, cut, earliest))}…`
}

const day = (date: string | null) => date?.slice(0, 10) ?? null

const facts = (...parts: ReadonlyArray<string | number | null>) =>
  oneLine(parts.filter((part) => part !== null && part !== "").join(" · "))

/** Lines below the title and URL, by kind. */
const details: { readonly [K in SearchKind]: (item: ItemOf[K], length: number) => ReadonlyArray<string> } = {
  text: ({ body }, length) => [oneLine(body, length)],
  images: ({ height, image, source, width }) => [
    image === null ? "" : `image: ${image}`,
    facts(width === null || height === null ? null : `${width}x${height}`, source)
  ],
  videos: ({ description, duration, published, publisher, statistics, uploader }, length) => [
    oneLine(description, length),
    facts(
      day(published),
      duration,
      uploader ?? publisher,
      statistics.viewCount === null ? null : `${statistics.viewCount} views`
    )
  ],
  news: ({ body, date, source }, length) => [oneLine(body, length), facts(day(date), source)],
  books: ({ author, info, isbn, publisher, year }) => [
    facts(author, year, publisher),
    facts(info, isbn === null ? null : `ISBN ${isbn}`)
  ]
}

const entry = (number: number, { title, url }: { title: string; url: string }, lines: ReadonlyArray<string>) =>
  [`${number}. ${oneLine(title)}`, url, ...lines.filter((line) => line !== "")].join("\n   ")

/** Engines without results, except those that reported an empty result. */
const failures = (sources: ReadonlyArray<SourceReceipt>) =>
  sources.flatMap(({ engine, outcome }) => (outcome === "ok" || outcome === "empty" ? [] : [`${engine} (${outcome})`]))

const failureNote = (sources: ReadonlyArray<SourceReceipt>): string => {
  const failed = failures(sources)
  return failed.length === 0 ? "" : `Did not answer: ${failed.join(", ")}.`
}

const incomplete = (sources: ReadonlyArray<SourceReceipt>): string => {
  const note = failureNote(sources)
  return note === "" ? "" : `${note} There may be more: a call in a minute or with other words may find it.`
}

const paragraphs = (...parts: ReadonlyArray<string>) => parts.filter((part) => part !== "").join("\n\n")

interface Window {
  readonly page: number
  readonly max_results: number
}

/** How to request the next page. There is none after a page that is not full, or beyond the deepest result. */
const nextPageHint = (count: number, { max_results, page }: Window): string =>
  count === max_results && (page + 1) * max_results <= deepestResult
    ? `For more, call again with page=${page + 1}.`
    : ""

type Entries = (length: number) => ReadonlyArray<string>

/** Formats all entries with the longest passages that fit. Otherwise keeps as many of the shortest entries as fit. */
const fitted = (entries: Entries, room: number) => {
  const all = lineLengths.map((length) => entries(length))
  const whole = all.find((some) => fitting(some, room).length === some.length)
  const [longest = []] = all
  return {
    shown: whole ?? fitting(all.at(-1) ?? [], room),
    needed: longest.reduce((sum, one) => sum + costOf(one), 0)
  }
}

/** How to request results that were left out because of the token budget. */
const omittedHint = (count: number, tokens: number): string => {
  const enough = tokenBudgetFor(tokens)
  const instead = enough === null ? "fewer results a page" : `max_tokens=${enough}`
  return count === 0
    ? ""
    : `${count} more found, left out here for want of room: call again with ${instead} to read them.`
}

/** Tokens of the label, the two lines of a quotation and the text of `leftOut`. */
const fixedTokens = 120

/** Formats the answer of one kind: numbered results of a few lines each, and how to continue. */
export const searchText =
  <K extends SearchKind>(kind: K) =>
  ({ query, results, sources }: SearchAnswer<K>, window: Window, { maxTokens, quote }: TextOptions): string => {
    const asked = oneLine(query)
    if (results.length === 0) {
      const nothing = window.page > 1 ? `No results on page ${window.page} of` : "No results for"
      return paragraphs(`${nothing} "${asked}". Try other words or fewer filters.`, incomplete(sources))
    }
    const first = (window.page - 1) * window.max_results + 1
    const headOf = (count: number) => `Results ${first} to ${first + count - 1} for "${asked}". ${quote.label}`
    const tail = [nextPageHint(results.length, window), incomplete(sources)]
    const around = costOf(headOf(results.length)) + costOf(paragraphs(...tail)) + fixedTokens
    const { needed, shown } = fitted(
      (length) => results.map((item, index) => entry(first + index, item, details[kind](item, length))),
      maxTokens - around
    )
    const rest = omittedHint(results.length - shown.length, needed + around)
    return shown.length === 0
      ? paragraphs(rest, ...tail)
      : paragraphs(headOf(shown.length), quote.block(shown.join("\n\n")), rest, ...tail)
  }

const headings = {
  text: "Web pages",
  images: "Images",
  videos: "Videos",
  news: "News",
  books: "Books"
} as const satisfies Record<SearchKind, string>

const linesOf = (item: UnifiedItem, length: number): ReadonlyArray<string> => {
  switch (item.type) {
    case "text":
      return details.text(item, length)
    case "image":
      return details.images(item, length)
    case "video":
      return details.videos(item, length)
    case "news":
      return details.news(item, length)
    case "book":
      return details.books(item, length)
  }
}

/** Builds the section of each kind: heading, numbered results, and a note on failures. */
const sectionsOf = ({ results, sources }: UnifiedAnswer) =>
  searchKinds.map((kind) => {
    const { engines, error, results_count } = sources[kind]
    const before = searchKinds
      .slice(0, searchKinds.indexOf(kind))
      .reduce((sum, other) => sum + sources[other].results_count, 0)
    const items = results.slice(before, before + results_count)
    const entries: Entries = (length) =>
      items.map((item, index) => entry(before + index + 1, item, linesOf(item, length)))
    return {
      heading: `## ${headings[kind]}`,
      entries,
      note: paragraphs(
        error === null ? (items.length === 0 ? "No results." : "") : `${error.error}. ${adviceOfPart(error)}`.trim(),
        failureNote(engines)
      )
    }
  })

/** Formats the five kinds in order, numbered throughout. */
export const unifiedText = (answer: UnifiedAnswer, _: unknown, { maxTokens, quote }: TextOptions): string => {
  const sections = sectionsOf(answer)
  const head = `Results for "${oneLine(answer.query)}". ${quote.label}`
  const tail = "For more of one kind, call its own search tool."
  const around =
    costOf(head) +
    costOf(tail) +
    fixedTokens +
    sections.reduce((sum, { heading, note }) => sum + costOf(heading) + costOf(note) + costOf(quote.block("")), 0)
  const room = shares(
    sections.map(({ entries }) => entries(lineLength).reduce((sum, one) => sum + costOf(one), 0)),
    maxTokens - around
  )
  const parts = sections.map(({ entries, heading, note }, index) => {
    const { needed, shown } = fitted(entries, room[index] ?? 0)
    const text = paragraphs(heading, shown.length === 0 ? "" : quote.block(shown.join("\n\n")), note)
    return { text, needed, missing: entries(lineLength).length - shown.length }
  })
  const missing = parts.reduce((sum, part) => sum + part.missing, 0)
  const needed = parts.reduce((sum, part) => sum + part.needed, around)
  return paragraphs(head, ...parts.map(({ text }) => text), omittedHint(missing, needed), tail)
}
