import { type Element } from "domhandler"
import { isoOfText } from "../../../domain/Dates.ts"
import { plainLine } from "../../../domain/PlainText.ts"
import { hasClass, textOf } from "./HtmlPage.ts"

/** A date, followed by a separator and the passage. */
const separated = /^(.{2,40}?)\s?(?:[·•…—–-]|\.{3})\s/u

/** Date formats in languages that `isoOfText` cannot parse. They are only recognised as dates. */
const abroad = [
  /^(?:vor|il y a|hace|há|för|for|per|pred|před|przed) (?:(?:etwa|environ|cerca de) )?\d{1,2} \p{L}{1,12}\.?(?: sedan| siden)?$/iu,
  /^\d{1,2} \p{L}{1,12}\.? (?:fa|geleden|temu|назад|тому|sedan|siden|atrás|önce|sitten)$/iu,
  /^\d{1,2}\.? (?:de )?\p{L}{3,10}\.?,? (?:de )?(?:19|20)\d\d(?: г\.?)?$/iu,
  /^(?:19|20)\d\d(?:年|년 ?)\d{1,2}(?:月|월 ?)\d{1,2}[日일]$/u,
  /^\d{1,2} ?(?:日|时间|小时|分鐘|分钟|天|時間|か月|週間|시간|일|주)(?:前| 전)$/u
]

const isDate = (text: string, separator: string, now: number): boolean =>
  /\d/.test(text) &&
  (isoOfText(text, now) !== null || (!/[–-]/.test(separator) && abroad.some((pattern) => pattern.test(text))))

/** Removes a leading date from a snippet ("5 days ago · …", "Jul 16, 2025 — …"). */
export const withoutDate = (text: string, now: number): string => {
  const snippet = plainLine(text)
  const [head = "", date = ""] = separated.exec(snippet) ?? []
  return isDate(date, head.slice(date.length), now) ? snippet.slice(head.length).trimStart() : snippet
}

/**
 * The passage of a snippet, without a leading date and without elements of the classes `asides`. The classes identify a
 * date in any language, or a "Read more" link.
 */
export const passageOf = (snippet: Element, asides: ReadonlyArray<string>, now: number): string => {
  const whole = plainLine(textOf(snippet))
  const text = plainLine(textOf(snippet, (element) => asides.some((name) => hasClass(element, name))))
  return withoutDate(text === whole ? text : text.replace(/^[·•—–-]\s?/u, ""), now)
}
