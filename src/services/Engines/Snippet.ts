import { type Element } from "domhandler"
import { isoOfText } from "../../domain/Dates.ts"
import { plainLine } from "../../domain/PlainText.ts"
import { hasClass, textOf } from "./Page.ts"

/** What may stand between a date and the passage behind it. */
const separated = /^(.{2,40}?)\s?(?:[·•…—–-]|\.{3})\s/u

/** A snippet without the date in front of it ("5 days ago · …", "Jul 16, 2025 — …"). */
export const withoutDate = (text: string, now: number): string => {
  const snippet = plainLine(text)
  const [head = "", date = ""] = separated.exec(snippet) ?? []
  return !/\d/.test(date) || isoOfText(date, now) === null ? snippet : snippet.slice(head.length).trimStart()
}

/**
 * The passage of a snippet: without the date in front of it, and without elements of these classes in it, which is what
 * a date in any language or a "Read more" can be told by.
 */
export const passageOf = (snippet: Element, asides: ReadonlyArray<string>, now: number): string => {
  const whole = plainLine(textOf(snippet))
  const text = plainLine(textOf(snippet, (element) => asides.some((name) => hasClass(element, name))))
  return withoutDate(text === whole ? text : text.replace(/^[·•—–-]\s?/u, ""), now)
}
