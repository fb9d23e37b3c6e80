import { isText } from "domhandler"
import { type EngineFault } from "../../../domain/Outcome.ts"
import { type EngineAnswer } from "../Engine.ts"
import { all, decodeEntities, first, htmlPage, saysItself, textOf } from "./HtmlPage.ts"
import { canParseUrl } from "../../../domain/WebUrl.ts"

/**
 * What blocks look like at every engine. Two strengths:
 *
 * - `blockSign`: certain signs, looked for before an engine's `parse` sees the answer. They are never found on a page
 *   of results, so they must not rest on words a query could bring in.
 * - `looksBlocked`: likely signs (a captcha widget, a title or a short text that asks for proof of being human), looked
 *   for only after `parse` could make nothing of the answer. Results pages carry such widgets and words too.
 *
 * Signs of one engine alone (DuckDuckGo's anomaly form, Bing's `div.captcha`) are its own file's.
 */

/** Where a page's title is looked for, in characters. */
const headLength = 65_536

const titleOf = (body: string): string => {
  const title = /<title[^>]{0,200}>([^<]{0,300})/i.exec(body.slice(0, headLength))?.[1] ?? ""
  return decodeEntities(title).replace(/\s+/g, " ").trim()
}

const isMarkup = (body: string): boolean => /^\s{0,100}</.test(body) && !/^\s{0,100}<(?:\?xml|rss|feed)/i.test(body)

/** Titles of challenge pages, whole: Cloudflare, DDoS-Guard, Anubis. */
const challengeTitles =
  /^(?:just a moment(?:\.{3}|…)|attention required! \| cloudflare|ddos-guard|making sure you['’]re not a bot!)$/i

/** Words that only challenge pages have, or pages that are about them. */
const challengeWords = /anubis_challenge|cf-error-code|__cf_chl_captcha_tk__|__cf_chl_jschl_tk__|_cf_chl_opt/

/** Elements that only the challenge page itself has, whatever a page of results quotes of it. */
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

/** Scripts that ordinary pages may carry as well, telling only together with an error status. */
const challengeScripts = ["/cdn-cgi/challenge-platform/", "https://www.google.com/recaptcha/", "captcha-delivery.com"]

/** Paths and hosts that engines send suspects to. */
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
 * Certain signs of a refusal common to all engines: challenge pages under any status are `blocked`, else 402 and 403
 * are `blocked` and 429, or 403 with no budget left, is `rate_limited` (unless the engine's own signs say more); null when there is none. Rules as
 * SearXNG has them.
 */
export const blockSign = (answer: EngineAnswer): EngineFault | null => {
  if (isChallenge(answer)) return "blocked"
  // GitHub's way to say 429.
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

/** Longer pages have room to mention anything. */
const shortText = 2_000

/**
 * Likely signs of a block, for answers that `parse` could make nothing of. The query's own words are taken out first:
 * a search for "captcha" has it in its title.
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

/** Titles of pages that stand in for an engine's own. */
const outOfOrder = /\b(?:error|unavailable|maintenance|out of service|overloaded)\b/i

/** Whether a page, for which there is nothing to be found, may be a notice of trouble: an empty page is no such thing. */
export const looksBroken = (answer: EngineAnswer, query: string): boolean =>
  isMarkup(answer.body) && saysItself(titleOf(answer.body), outOfOrder, query)
