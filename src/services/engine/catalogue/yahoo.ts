import { type Engine } from "../Engine.ts"
import { news } from "./yahoo/News.ts"
import { text } from "./yahoo/Text.ts"

/**
 * Yahoo: Bing's index. No documentation; https://help.yahoo.com/kb/search-for-desktop describes what its filters do. Few
 * requests a minute.
 *
 * - Since September 2026 who comes without its cookies (`YBV`, `A1`, `A3`) gets an empty 500, or is led over
 *   `/_bv/v.gif` and perhaps to the host of a country: redirects with cookies, nothing to be solved. They are kept for a
 *   day. What is no page of results then is asked for once more, and is a refusal the second time.
 * - Region by host and by the cookie `sB`, which has safe search too. There is no year.
 * - Links lead over `r.search.yahoo.com`, with the target between `/RU=` and `/RK=`; without one they are broken.
 *   Advertisements lead over Bing's `/aclick` or over `/cbclk`.
 *
 * Text: seven results a page; the pager numbers them 8, 15, 22. Hosts of countries have the title in `aria-label`.
 *
 * News: one host for all regions, ten a page. No capture of an empty page: it is expected to be as the text's (`.zrp`,
 * "We did not find results for").
 */
export const yahoo = {
  name: "yahoo",
  website: "https://search.yahoo.com",
  documentation: "https://help.yahoo.com/kb/search-for-desktop",
  access: "page",
  pace: { perMinute: 10, burst: 10 },
  sources: { text, news }
} as const satisfies Engine
