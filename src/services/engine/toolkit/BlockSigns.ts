import { isText } from "domhandler"
import { type EngineFault } from "../../../domain/Outcome.ts"
import { type EngineAnswer } from "../Engine.ts"
import { all, decodeEntities, first, htmlPage, saysItself, textOf } from "./HtmlPage.ts"
import { canParseUrl } from "../../../domain/WebUrl.ts"

/**
 * Signs of a block that are common to all engines, in two strengths:
 *
 * - `blockSign`: certain signs, which take precedence over the engine's `parse`. They must never occur on a page of
 *   results, so they must not depend on words that a query could contain.
 * - `looksBlocked`: likely signs (a captcha widget, a title or a short text that asks for proof of being human),
 *   checked only when `parse` does not recognise the answer or reads it as empty. Results pages can contain such
 *   widgets and words too.
 *
 * Signs of a single engine (DuckDuckGo's anomaly form, Bing's `div.captcha`) belong in the file of that engine.
 */

/** Number of characters that are searched for the title. */
const headLength = 65_536

const titleOf = (body: string): string => {
  const title = /<title[^>]{0,200}>([^<]{0,300})/i.exec(body.slice(0, headLength))?.[1] ?? ""
  return decodeEntities(title).replace(/\s+/g, " ").trim()
}

const isMarkup = (body: string): boolean => /^\s{0,100}</.test(body) && !/^\s{0,100}<(?:\?xml|rss|feed)/i.test(body)

/** Complete titles of challenge pages: Cloudflare, DDoS-Guard, Anubis. */
const challengeTitles =
  /^(?:just a moment(?:\.{3}|…)|attention required! \| cloudflare|ddos-guard|making sure you['’]re not a bot!)$/i

/** Words that occur only on challenge pages, or on pages about them. */
const challengeWords = /anubis_challenge|cf-error-code|__cf_chl_captcha_tk__|__cf_chl_jschl_tk__|_cf_chl_opt/

/** Elements that occur only on the challenge page itself, even when a page of results quotes its text. */
const challengeElements =
  "script#anubis_challenge, form[action*=__cf_chl_captcha_tk__], form[action*=__cf_chl_jschl_tk__]"

const challengeScript = /^\s{0,99}(?:\(\s?function\s?\(\)\s?\{\s{0,99})?window\._cf_chl_opt\s?=/

const holdsChallenge = (body: string): boolean => {
  const page = challengeWords.test(body) ? htmlPage(body) : null
  if (page === null) return false
  if (first(page, challengeElements) !== null) return true
  if (all(page, ".cf-error-code").some((code) => textOf(code).trim() === "1020")) return true
  return all(page, "script").some(({ children }) =>
    children.some((child) => isText(child) && challengeScript.test(child.data))
  )
}

/** Scripts that ordinary pages can also contain. They count only together with an error status. */
const challengeScripts = ["/cdn-cgi/challenge-platform/", "https://www.google.com/recaptcha/", "captcha-delivery.com"]

/** Paths and hosts to which engines redirect suspected bots. */
const challengePath = /^\/(?:sorry|showcaptcha|checkcaptcha|captcha|sp\/captcha)(?:\/|$)/i
const challengeHost = /^(?:consent|sorry)\./i

const leadsToChallenge = (link: string, base?: string): boolean => {
  if (!canParseUrl(link, base)) return false
  const url = new URL(link, base)
  return challengeHost.test(url.hostname) || challengePath.test(url.pathname)
}

const isChallenge = (answer: EngineAnswer): boolean => {
  if (answer.headers["cf-mitigated"] === "challenge" || answer.headers["x-yandex-captcha"] === "captcha") return true
  if (leadsToChallenge(answer.url)) return true
  const location = answer.headers["location"]
  if (answer.status >= 300 && answer.status < 400 && location !== undefined)
    return leadsToChallenge(location, answer.url)
  if (!isMarkup(answer.body)) return false
  if (challengeTitles.test(titleOf(answer.body))) return true
  if (holdsChallenge(answer.body)) return true
  return answer.status >= 400 && challengeScripts.some((mark) => answer.body.includes(mark))
}

/**
 * Certain signs of a refusal, common to all engines; null for none. A challenge page is `blocked` with any status, and
 * so are 402 and 403. A 429, or a 403 with an exhausted rate limit, is `rate_limited`. The engine's `parse` can
 * overrule some of these (ParsedAnswer.ts). The rules follow SearXNG.
 */
export const blockSign = (answer: EngineAnswer): EngineFault | null => {
  if (isChallenge(answer)) return "blocked"
  // GitHub reports an exhausted rate limit this way instead of with 429.
  if (answer.status === 403 && answer.headers["x-ratelimit-remaining"]?.trim() === "0") return "rate_limited"
  if (answer.status === 402 || answer.status === 403) return "blocked"
  return answer.status === 429 ? "rate_limited" : null
}

const captchaWidgets = [
  ".g-recaptcha",
  ".h-captcha",
  ".cf-turnstile",
  "#turnstile-widget",
  "altcha-widget",
  ".geetest_captcha",
  "form[action*=captcha]",
  "iframe[src*=captcha]",
  "form#captcha-form",
  "div.captcha"
].join(", ")

const asksForProof =
  /captcha|not a robot|not a bot|are you (?:a )?human|unusual (?:traffic|activity)|automated (?:queries|requests|access)|robot policy|verif(?:y|ication) (?:that )?(?:you|required)|security check|access (?:was |is |has been )?(?:denied|blocked)|too many requests|request(?:s)? (?:was |were |has been |have been )?blocked/i

/** Maximum characters of a short page. Longer pages can mention any of these words. */
const shortText = 2_000

/**
 * Likely signs of a block, for answers that `parse` does not recognise or reads as empty. Ignores the words of the
 * query: a search for "captcha" has it in its title.
 */
export const looksBlocked = (answer: EngineAnswer, query: string): boolean => {
  if (!isMarkup(answer.body)) return false
  if (saysItself(titleOf(answer.body), asksForProof, query)) return true
  const page = htmlPage(answer.body)
  if (page === null) return false
  if (first(page, captchaWidgets) !== null) return true
  const said = textOf(page).replace(/\s+/g, " ")
  return said.length <= shortText && saysItself(said, asksForProof, query)
}

/** Words in the titles of error pages. */
const outOfOrder = /\b(?:error|unavailable|maintenance|out of service|overloaded)\b/i

/** Whether a page without results is an error page, judged by its title. */
export const looksBroken = (answer: EngineAnswer, query: string): boolean =>
  isMarkup(answer.body) && saysItself(titleOf(answer.body), outOfOrder, query)
