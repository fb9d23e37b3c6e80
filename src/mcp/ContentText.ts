import { type BatchAnswer, type BatchEntry } from "../domain/Answer.ts"
import { contentBounds, type ContentDocument, type ContentFormat } from "../domain/Content.ts"
import { codePointCount } from "../domain/Trim.ts"
import { trimHtml } from "../domain/TrimHtml.ts"
import { adviceOfPart } from "./Advice.ts"
import { type Quote } from "./Quote.ts"
import { costOf, tokenBudgetFor, shares, shortened } from "./TokenBudget.ts"
import { type TextOptions } from "./TextOptions.ts"
import { tokensIn, tokensOn } from "./Tokens.ts"

const lines = (parts: ReadonlyArray<string>) => parts.filter((part) => part !== "").join("\n")

const oneLine = (text: string | null, tokens: number) => shortened((text ?? "").replace(/\s+/g, " ").trim(), tokens)

/** Arguments of the call besides the URL. */
interface Window {
  readonly max_length: number
  readonly offset?: number
}

/** Metadata of the page, quoted with its text. Omits the final URL when it equals `told`, which is already shown. */
const heading = (
  { author, final_url, language, published, site_name, title }: ContentDocument,
  told?: string
): string =>
  lines([
    `# ${oneLine(title ?? final_url, 60)}`,
    final_url === told ? "" : oneLine(final_url, 200),
    oneLine([author, published?.slice(0, 10), site_name, language].filter((part) => part).join(" · "), 60)
  ])

const sentences = new Intl.Segmenter("und", { granularity: "sentence" })
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })

/**
 * Returns the index (code units) at which to cut a text at or before `limit`: after a paragraph beyond 70 % of the
 * limit, else after a sentence beyond 50 %, else after a word, else between graphemes.
 */
const cutBefore = (text: string, limit: number): number => {
  const within = text.slice(0, limit)
  const paragraph = within.lastIndexOf("\n\n")
  if (paragraph > 0.7 * limit) return paragraph
  const sentence = Array.from(sentences.segment(within)).at(-1)?.index ?? 0
  if (sentence > 0.5 * limit) return sentence
  const word = within.search(/\s\S*$/)
  return word > 0 ? word : (graphemes.segment(text).containing(limit)?.index ?? limit)
}

/**
 * Returns the text that fits into `room` tokens, and the offset of the rest in the whole text. The offset is null when
 * nothing is left, or when it is not known.
 */
const piece = ({ content, format, next_offset }: ContentDocument, room: number, offset: number) => {
  const limit = tokensOn(content, Math.max(0, room))
  if (limit === content.length) return { text: content, next: next_offset, whole: true }
  if (format === "html") {
    const cut = trimHtml(content, 0, Math.max(1, codePointCount(content, 0, limit)))
    // A later piece of HTML reopens elements, so its offsets do not match those of the whole text.
    return { text: cut.content, next: offset === 0 ? cut.nextOffset : null, whole: false }
  }
  const end = cutBefore(content, limit)
  const rest = end + content.slice(end).search(/\S|$/)
  return { text: content.slice(0, end).trimEnd(), next: offset + codePointCount(content, 0, rest), whole: false }
}

/** Arguments besides the URL that the next call must repeat: an offset is valid in one format only. */
const repeated = (format: ContentFormat, { max_length }: Window): ReadonlyArray<string> => [
  ...(format === "text" ? [] : [`format=${format}`]),
  ...(max_length === contentBounds.max_length.default ? [] : [`max_length=${max_length}`])
]

/** Describes how to read the rest of a document, fetched alone or in a batch. */
type Onward = (document: ContentDocument, window: Window, next: number) => string

const left = ({ content_length }: ContentDocument, next: number) =>
  `${content_length - next} of ${content_length} characters are left`

const onwardAlone: Onward = (document, window, next) => {
  const { format, url } = document
  const asked = [url.length <= 300 ? `url=${url}` : "the same url", ...repeated(format, window)]
  return `[${left(document, next)}. To read on, call fetch_content with ${asked.join(", ")} and offset=${next}.]`
}

const onwardAmong: Onward = (document, _, next) => `[${left(document, next)}, from offset=${next}.]`

const nothing = ({ content_length }: ContentDocument, { offset = 0 }: Window): string =>
  content_length > 0 && offset >= content_length
    ? `[There is nothing after offset ${offset} of ${content_length}.]`
    : "[There is no text here: the page may be made of pictures or scripts. Another url may do.]"

const remarks = ({ hidden_text, truncated_input }: ContentDocument) => [
  truncated_input ? "[The document was too large to be read to its end.]" : "",
  hidden_text ? "[Text that readers of the page cannot see was left out.]" : ""
]

/** Presentation of a document: alone, or under its URL in a batch. */
interface Presentation {
  readonly head: string
  readonly onward: Onward
}

const alone = (document: ContentDocument): Presentation => ({ head: heading(document), onward: onwardAlone })

const among = (document: ContentDocument): Presentation => ({
  head: heading(document, document.url),
  onward: onwardAmong
})

/** Tokens of a document with `text` tokens of its content. */
const costWith = (
  document: ContentDocument,
  { head, onward }: Presentation,
  window: Window,
  quote: Quote,
  text: number
) => {
  const last = document.content === "" ? nothing(document, window) : onward(document, window, document.content_length)
  return costOf(quote.block(head)) + costOf(lines([last, ...remarks(document)])) + text + 4
}

/**
 * Formats a document in at most `room` tokens, without the quotation label. `isCut` is true when its text was cut to
 * fit, `goesOn` when a later piece exists.
 */
const fitted = (document: ContentDocument, manner: Presentation, window: Window, quote: Quote, room: number) => {
  const { head, onward } = manner
  if (document.content === "") {
    const text = lines([quote.block(head), nothing(document, window), ...remarks(document)])
    return { text, isCut: false, goesOn: false }
  }
  const free = room - costWith(document, manner, window, quote, 0)
  const { next, text, whole } = piece(document, free, window.offset ?? 0)
  return {
    text: lines([
      quote.block(text === "" ? head : `${head}\n\n${text}`),
      next === null ? "" : onward(document, window, next),
      ...remarks(document)
    ]),
    isCut: !whole,
    goesOn: next !== null
  }
}

const truncationNote = (what: string, tokens: number): string => {
  const enough = tokenBudgetFor(tokens)
  return enough === null ? "" : `[Cut for want of room: with max_tokens=${enough} ${what}.]`
}

/** Formats a document: metadata, text, and how to read the rest. */
export const documentText = (document: ContentDocument, window: Window, { maxTokens, quote }: TextOptions): string => {
  const label = costOf(quote.label)
  const manner = alone(document)
  const { isCut, text } = fitted(document, manner, window, quote, maxTokens - label - 30)
  const needed = label + costWith(document, manner, window, quote, tokensIn(document.content))
  return lines([quote.label, text, isCut ? truncationNote("this piece is whole", needed) : ""])
}

const failure = ({ details, error }: Extract<BatchEntry, { success: false }>) =>
  lines([shortened(`${error}: ${JSON.stringify(details)}`, 200), adviceOfPart({ error, details })])

/** Minimum tokens of text per document; a document without space for them is left out. */
const least = 20

/** Formats the documents of a batch in order, numbered like the URLs. */
export const batchText = ({ results }: BatchAnswer, window: Window, { maxTokens, quote }: TextOptions): string => {
  const entries = results.map((entry, index) => {
    const above = `${index + 1}. ${oneLine(entry.url, 100)}`
    const head = costOf(above)
    const fixed = head + (entry.success ? costWith(entry, among(entry), window, quote, least) : costOf(failure(entry)))
    const more = entry.success ? Math.max(0, tokensIn(entry.content) - least) : 0
    return { entry, above, head, fixed, more }
  })
  const first = results.find((entry) => entry.success)
  const asked = ["its url", ...(first === undefined ? [] : repeated(first.format, window))]
  const readOn = `[To read on in one of them, call fetch_content with ${asked.join(", ")} and the offset named there.]`
  const around = costOf(quote.label) + costOf(readOn) + 60
  const shown = entries.filter(
    (_, index) => entries.slice(0, index + 1).reduce((sum, { fixed }) => sum + fixed, around) <= maxTokens
  )
  const room = shares(
    shown.map(({ more }) => more),
    shown.reduce((left, { fixed }) => left - fixed, maxTokens - around)
  )
  const told = shown.map(({ above, entry, fixed, head }, index) => {
    if (!entry.success) return { text: lines([above, failure(entry)]), isCut: false, goesOn: false }
    const told = fitted(entry, among(entry), window, quote, fixed - head + (room[index] ?? 0))
    return { ...told, text: lines([above, told.text]) }
  })
  const missing = results.length - shown.length
  const needed = entries.reduce((sum, { fixed, more }) => sum + fixed + more, around)
  return [
    quote.label,
    ...told.map(({ text }) => text),
    told.some(({ goesOn }) => goesOn) ? readOn : "",
    missing === 0 ? "" : `[The last ${missing} of ${results.length} were left out: ask for them by themselves.]`,
    missing > 0 || told.some(({ isCut }) => isCut) ? truncationNote("all pieces are whole", needed) : ""
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}
