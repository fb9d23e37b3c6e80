import { empty, type EngineAnswer, type EngineQuery, type Empty, type Fault, fault } from "../../Engine.ts"
import { first, htmlPage, type Page } from "../../toolkit/HtmlPage.ts"
import { firstPoints } from "../../toolkit/Request.ts"

const puzzle = "#challenge-form, .anomaly-modal__mask, .anomaly-modal__title, form[action*='anomaly.js']"

const longestQuery = 499

/**
 * Returns the query without bangs and lucky searches, which would redirect to another site, cut to its maximum length.
 */
export const searchedText = (text: string): string =>
  firstPoints(
    text
      .split(/\s+/)
      .map((word) => (word.startsWith("!") ? `'${word}'` : word.replace(/^\\+/, "")))
      .join(" "),
    longestQuery
  )

/** Values for safe search: `kp` for the HTML and lite pages, `p` for the script endpoints. */
export const strictness = { on: "1", moderate: "-1", off: "-2" } as const satisfies Record<
  EngineQuery<"text">["safesearch"],
  string
>

/** Returns true for the bot challenge page, whatever its status. */
export const isChallenge = (page: Page): boolean => first(page, puzzle) !== null

/** Like `isPuzzle`, but for a body that can be a script. Scripts call `anomalyDetectionBlock` instead. */
export const holdsPuzzle = (body: string): boolean => {
  if (/anomalyDetectionBlock\s?\(/.test(body)) return true
  const page = /anomaly|challenge-form/.test(body) ? htmlPage(body) : null
  return page !== null && isChallenge(page)
}

/** Maps a response outside 2xx to `Empty` or to a fault. */
export const refusal = (answer: EngineAnswer): Empty | Fault => {
  // A 303 redirects to the site of a bang that `searchedText` did not recognise. DuckDuckGo has no results for it.
  if (answer.status === 303) return empty
  return fault([301, 302, 307, 418, 506].includes(answer.status) ? "blocked" : "layout_changed")
}
