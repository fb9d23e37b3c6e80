import { type BatchAnswer, type BatchEntry } from "../domain/Answer.ts"
import { contentBounds, type ContentDocument } from "../domain/Content.ts"

const facts = (parts: ReadonlyArray<string | null>) => parts.filter((part) => part !== null && part !== "").join(" · ")

const lines = (parts: ReadonlyArray<string>) => parts.filter((part) => part !== "").join("\n")

/** What the call asked for besides a URL. */
interface Window {
  readonly max_length: number
  readonly offset?: number
}

/** Where the piece ends, and how to read on: an offset counts in one format only. */
const onward = ({ content_length, format, next_offset, url }: ContentDocument, { max_length }: Window): string => {
  if (next_offset === null) return ""
  const asked = [
    `url=${url}`,
    ...(format === "text" ? [] : [`format=${format}`]),
    ...(max_length === contentBounds.max_length.default ? [] : [`max_length=${max_length}`])
  ]
  return (
    `\n[${content_length - next_offset} of ${content_length} characters are left. ` +
    `To read on, call fetch_content with ${asked.join(", ")} and offset=${next_offset}.]`
  )
}

const nothing = ({ content_length }: ContentDocument, { offset = 0 }: Window): string =>
  content_length > 0 && offset >= content_length
    ? `\n[There is nothing after offset ${offset} of ${content_length}.]`
    : "\n[There is no text here.]"

/** A document: what it is, its text, and how to read on. */
export const documentText = (document: ContentDocument, window: Window): string => {
  const { author, content, final_url, language, published, site_name, title } = document
  return lines([
    `# ${title ?? final_url}`,
    final_url,
    facts([author, published?.slice(0, 10) ?? null, site_name, language]),
    content === "" ? nothing(document, window) : `\n${content}`,
    onward(document, window),
    document.truncated_input ? "\n[The document was too large to be read to its end.]" : "",
    document.hidden_text ? "\n[Text that readers of the page cannot see was left out.]" : ""
  ])
}

const entryText = (entry: BatchEntry, window: Window): string =>
  entry.success ? documentText(entry, window) : `# ${entry.url}\n${entry.error}: ${JSON.stringify(entry.details)}`

/** The documents one after another, numbered as the URLs were. */
export const batchText = ({ results }: BatchAnswer, window: Window): string =>
  results.map((entry, index) => entryText(entry, window).replace(/^# /, `# ${index + 1}. `)).join("\n\n---\n\n")
