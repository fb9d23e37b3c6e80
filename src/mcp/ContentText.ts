import { type BatchAnswer, type BatchEntry } from "../domain/Answer.ts"
import { type ContentDocument } from "../domain/Content.ts"

const facts = (parts: ReadonlyArray<string | null>) => parts.filter((part) => part !== null && part !== "").join(" · ")

const lines = (parts: ReadonlyArray<string>) => parts.filter((part) => part !== "").join("\n")

/** Where the piece ends, and how to read on. */
const onward = ({ content_length, next_offset, url }: ContentDocument): string =>
  next_offset === null
    ? ""
    : `\n[${content_length - next_offset} of ${content_length} characters are left. ` +
      `To read on, call fetch_content with url=${url} and offset=${next_offset}.]`

/** A document: what it is, its text, and how to read on. */
export const documentText = (document: ContentDocument): string => {
  const { author, content, final_url, language, published, site_name, title } = document
  return lines([
    `# ${title ?? final_url}`,
    final_url,
    facts([author, published?.slice(0, 10) ?? null, site_name, language]),
    content === "" ? "\n[There is no text here.]" : `\n${content}`,
    onward(document),
    document.truncated_input ? "\n[The document was too large to be read to its end.]" : "",
    document.hidden_text ? "\n[Text that readers of the page cannot see was left out.]" : ""
  ])
}

const entryText = (entry: BatchEntry): string =>
  entry.success ? documentText(entry) : `# ${entry.url}\n${entry.error}: ${JSON.stringify(entry.details)}`

/** The documents one after another, numbered as the URLs were. */
export const batchText = ({ results }: BatchAnswer): string =>
  results.map((entry, index) => entryText(entry).replace(/^# /, `# ${index + 1}. `)).join("\n\n---\n\n")
