import { type Engine } from "../Engine.ts"
import { news } from "./yahoo/News.ts"
import { text } from "./yahoo/Text.ts"

/**
 * Yahoo, which serves Bing's index. Its parameters are not documented. https://help.yahoo.com/kb/search-for-desktop
 * describes its filters. Keep the rate to a few requests a minute.
 *
 * - Since September 2026, a client without Yahoo's cookies (`YBV`, `A1`, `A3`) gets an empty 500 or a redirect through
 *   `/_bv/v.gif`, sometimes on to a country's host. The redirects set the cookies and contain no challenge. The cookies
 *   are kept for a day. If the response is not a results page, the request is sent once more. A second such response is
 *   a refusal.
 * - The host and the cookie `sB` set the region. `sB` also sets safe search. There is no time limit of a year.
 * - Result links go through `r.search.yahoo.com`, with the target between `/RU=` and `/RK=`. Links without a target are
 *   broken. Advertisements go through Bing's `/aclick` or through `/cbclk`.
 *
 * Text: seven results a page. The pager links start at results 8, 15 and 22. Country hosts have the title in
 * `aria-label`.
 *
 * News: one host for all regions, ten results a page. No empty page was captured. It is expected to match the empty
 * text page (`.zrp`, "We did not find results for").
 */
export const yahoo = {
  name: "yahoo",
  website: "https://search.yahoo.com",
  documentation: "https://help.yahoo.com/kb/search-for-desktop",
  access: "page",
  pace: { perMinute: 10, burst: 10 },
  sources: { text, news }
} as const satisfies Engine
