import { images } from "./duckduckgo/Images.ts"
import { news } from "./duckduckgo/News.ts"
import { text } from "./duckduckgo/Text.ts"
import { videos } from "./duckduckgo/Videos.ts"
import { type Engine } from "../Engine.ts"

/**
 * DuckDuckGo, which serves Bing's index. There is no API. `kl`, `df` and `kp` are listed at
 * https://duckduckgo.com/duckduckgo-help-pages/settings/params
 *
 * - DuckDuckGo blocks by IP address and by TLS fingerprint, for about an hour. A block is a challenge page under 202 or
 *   200, sometimes 403, 418 or a redirect to the home page. Stay below 30 requests a minute, with one request at a
 *   time.
 * - `!word` is a bang and `\word` is a lucky search. Both return 303 to another site, so the query is changed to avoid
 *   them.
 *
 * Text: the page without scripts (`html.duckduckgo.com/html/`), with `lite.duckduckgo.com/lite/` as the fallback:
 *
 * - The request for the next page sends the hidden inputs of the current page's "Next" form. `dc` and `vqd` cannot be
 *   computed. Chinese regions return 403 from page 2 on, so they have one page.
 * - Result links are direct or wrapped in `/l/?uddg=`. Advertisements link to `/y.js`.
 * - No empty page was captured. It is expected to be a complete page under 200 with `#links` and no link in it, or with
 *   the "No results" block.
 *
 * Images, videos and news: the JSON that the site's own scripts fetch:
 *
 * - The token `vqd` comes from the site's results page and is fetched first. A DuckDuckGo page without a token is a
 *   block, and so is a script response that is not JSON. Further pages are refused more often than first pages.
 * - Pages have 100 (images), 60 (videos) and 30 (news) results. `next` in the response gives the start of the next
 *   page. An empty list means no results.
 * - `i.js` does not distinguish `moderate` from `on`. Videos have no time limit of a year. News have one as a date
 *   range.
 */
export const duckduckgo = {
  name: "duckduckgo",
  website: "https://duckduckgo.com",
  documentation: "https://duckduckgo.com/duckduckgo-help-pages/settings/params",
  access: "page",
  pace: { perMinute: 20, burst: 10, maxConcurrent: 1 },
  sources: { text, images, videos, news }
} as const satisfies Engine
