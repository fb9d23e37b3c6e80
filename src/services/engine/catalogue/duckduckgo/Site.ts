import { empty, type EngineAnswer, type EngineQuery, type Empty, type Fault, fault } from "../../Engine.ts"
import { first, htmlPage, type Page } from "../../toolkit/HtmlPage.ts"
import { firstPoints } from "../../toolkit/Request.ts"

const puzzle = "#challenge-form, .anomaly-modal__mask, .anomaly-modal__title, form[action*='anomaly.js']"

const longestQuery = 499

/** What is searched for: no bang and no lucky search, which would lead to another site. */
export const searchedText = (text: string): string =>
  firstPoints(
    text
      .split(/\s+/)
      .map((word) => (word.startsWith("!") ? `'${word}'` : word.replace(/^\\+/, "")))
      .join(" "),
    longestQuery
  )

/** How DuckDuckGo spells safe search: `kp` in forms, `p` in scripts and cookies. */
export const strictness = { on: "1", moderate: "-1", off: "-2" } as const satisfies Record<
  EngineQuery<"text">["safesearch"],
  string
>

/** Whether it is the page with the puzzle for bots, whatever its status. */
export const isPuzzle = (page: Page): boolean => first(page, puzzle) !== null

/** The same for a body that need not be a page: scripts call `anomalyDetectionBlock` instead. */
export const holdsPuzzle = (body: string): boolean => {
  if (/anomalyDetectionBlock\s?\(/.test(body)) return true
  const page = /anomaly|challenge-form/.test(body) ? htmlPage(body) : null
  return page !== null && isPuzzle(page)
}

/** What an answer means that is no 2xx. */
export const refusal = (answer: EngineAnswer): Empty | Fault => {
  // A bang that was not recognised as one leads to another site: DuckDuckGo itself has no results for it.
  if (answer.status === 303) return empty
  return fault([301, 302, 307, 418, 506].includes(answer.status) ? "blocked" : "layout_changed")
}
