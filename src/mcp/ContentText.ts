import { type BatchAnswer, type BatchEntry } from "../domain/Answer.ts"
import { contentBounds, type ContentDocument } from "../domain/Content.ts"
import { codePointCount, trim } from "../domain/Trim.ts"
import { adviceOfPart } from "./Advice.ts"
import { type Quote } from "./Quote.ts"
import { costOf, roomFor, shares, shortened } from "./Room.ts"
import { type Telling } from "./Telling.ts"
import { tokensIn, tokensOn } from "./Tokens.ts"

const lines = (parts: ReadonlyArray<string>) => parts.filter((part) => part !== "").join("\n")

const oneLine = (text: string | null, tokens: number) => shortened((text ?? "").replace(/\s+/g, " ").trim(), tokens)

/** What the call asked for besides a URL. */
interface Window {
  readonly max_length: number
  readonly offset?: number
}

/** What the page says of itself: quoted with its text. */
const heading = ({ author, final_url, language, published, site_name, title }: ContentDocument): string =>
  lines([
    `# ${oneLine(title ?? final_url, 60)}`,
    oneLine(final_url, 200),
    oneLine([author, published?.slice(0, 10), site_name, language].filter((part) => part).join(" · "), 60)
  ])

/** The text as far as there is room, and where in the whole text the rest begins; null where nothing is left. */
const piece = (document: ContentDocument, room: number, offset: number) => {
  const { content, format, next_offset } = document
  const end = tokensOn(content, Math.max(0, room))
  if (end === content.length) return { text: content, next: next_offset, whole: true }
  const cut = trim(content, 0, codePointCount(content, 0, end))
  // Where a piece of HTML begins, elements are opened anew: its offsets are not those of the whole.
  const isAligned = format !== "html" || offset === 0
  return {
    text: cut.content,
    next: isAligned && cut.nextOffset !== null ? offset + cut.nextOffset : null,
    whole: false
  }
}

/** What reading on takes: an offset counts in one format only. */
const onward = (document: ContentDocument, { max_length }: Window, next: number): string => {
  const { content_length, format, url } = document
  const asked = [
    url.length <= 300 ? `url=${url}` : "the same url",
    ...(format === "text" ? [] : [`format=${format}`]),
    ...(max_length === contentBounds.max_length.default ? [] : [`max_length=${max_length}`])
  ]
  return (
    `[${content_length - next} of ${content_length} characters are left. ` +
    `To read on, call fetch_content with ${asked.join(", ")} and offset=${next}.]`
  )
}

const nothing = ({ content_length }: ContentDocument, { offset = 0 }: Window): string =>
  content_length > 0 && offset >= content_length
    ? `[There is nothing after offset ${offset} of ${content_length}.]`
    : "[There is no text here: the page may be made of pictures or scripts. Another url may do.]"

const remarks = ({ hidden_text, truncated_input }: ContentDocument) => [
  truncated_input ? "[The document was too large to be read to its end.]" : "",
  hidden_text ? "[Text that readers of the page cannot see was left out.]" : ""
]

/** Tokens of what is said about a document besides: where it goes on, what was left out. */
const ownWords = (document: ContentDocument, window: Window) =>
  costOf(lines([onward(document, window, 0), ...remarks(document)])) + 40

/** Tokens that a document takes with so much of its text. */
const costWith = (document: ContentDocument, window: Window, quote: Quote, text: number) =>
  costOf(quote.block(heading(document))) + (document.content === "" ? 40 : ownWords(document, window) + text)

/** A document without the label of its quotation, within so many tokens, and whether its text had to be cut for that. */
const fitted = (document: ContentDocument, window: Window, quote: Quote, room: number) => {
  const head = heading(document)
  if (document.content === "") {
    return { text: lines([quote.block(head), nothing(document, window), ...remarks(document)]), isCut: false }
  }
  const { next, text, whole } = piece(document, room - costWith(document, window, quote, 0), window.offset ?? 0)
  return {
    text: lines([
      quote.block(text === "" ? head : `${head}\n\n${text}`),
      next === null ? "" : onward(document, window, next),
      ...remarks(document)
    ]),
    isCut: !whole
  }
}

const cutFor = (what: string, tokens: number): string => {
  const enough = roomFor(tokens)
  return enough === null ? "" : `[Cut for want of room: with max_tokens=${enough} ${what}.]`
}

/** A document: what it is, its text, and how to read on. */
export const documentText = (document: ContentDocument, window: Window, { maxTokens, quote }: Telling): string => {
  const label = costOf(quote.label)
  const { isCut, text } = fitted(document, window, quote, maxTokens - label - 30)
  const needed = label + costWith(document, window, quote, tokensIn(document.content))
  return lines([quote.label, text, isCut ? cutFor("this piece is whole", needed) : ""])
}

const failure = ({ details, error }: Extract<BatchEntry, { success: false }>) =>
  lines([shortened(`${error}: ${JSON.stringify(details)}`, 200), adviceOfPart({ error, details })])

/** Tokens of text below which a document had better be left out. */
const least = 20

/** The documents one after another, numbered as the URLs were. */
export const batchText = ({ results }: BatchAnswer, window: Window, { maxTokens, quote }: Telling): string => {
  const entries = results.map((entry, index) => {
    const above = `${index + 1}. ${oneLine(entry.url, 100)}`
    const head = costOf(above)
    const fixed = head + (entry.success ? costWith(entry, window, quote, least) : costOf(failure(entry)))
    const more = entry.success ? Math.max(0, tokensIn(entry.content) - least) : 0
    return { entry, above, head, fixed, more }
  })
  const around = costOf(quote.label) + 80
  const shown = entries.filter(
    (_, index) => entries.slice(0, index + 1).reduce((sum, { fixed }) => sum + fixed, around) <= maxTokens
  )
  const room = shares(
    shown.map(({ more }) => more),
    shown.reduce((left, { fixed }) => left - fixed, maxTokens - around)
  )
  const told = shown.map(({ above, entry, fixed, head }, index) => {
    if (!entry.success) return { text: lines([above, failure(entry)]), isCut: false }
    const { isCut, text } = fitted(entry, window, quote, fixed - head + (room[index] ?? 0))
    return { text: lines([above, text]), isCut }
  })
  const missing = results.length - shown.length
  const needed = entries.reduce((sum, { fixed, more }) => sum + fixed + more, around)
  return [
    quote.label,
    ...told.map(({ text }) => text),
    missing === 0 ? "" : `[The last ${missing} of ${results.length} were left out: ask for them by themselves.]`,
    missing > 0 || told.some(({ isCut }) => isCut) ? cutFor("all pieces are whole", needed) : ""
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}
