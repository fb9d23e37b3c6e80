import { images } from "./duckduckgo/Images.ts"
import { news } from "./duckduckgo/News.ts"
import { text } from "./duckduckgo/Text.ts"
import { videos } from "./duckduckgo/Videos.ts"
import { type Engine } from "../Engine.ts"

/**
 * DuckDuckGo: Bing's index. No API: https://duckduckgo.com/duckduckgo-help-pages/settings/params lists `kl`, `df` and
 * `kp`.
 *
 * - Blocks by address and by TLS fingerprint, for about an hour: a page with a puzzle under 202 or 200, at times 403,
 *   418, or a redirect to the home page. Keep below 30 requests a minute, never two at once.
 * - `!word` is a bang and `\word` a lucky search: both answer 303 to another site, so they are taken out.
 *
 * Text is the page without scripts (`html.duckduckgo.com/html/`), else `lite.duckduckgo.com/lite/`:
 *
 * - The next page is asked for with the hidden inputs of this page's "Next" form; `dc` and `vqd` cannot be computed.
 *   Chinese regions answer 403 from page 2 on, so they have one page.
 * - Links are direct, or wrapped in `/l/?uddg=`; advertisements lead to `/y.js`.
 * - No capture of an empty page: a whole page under 200 with `#links` and no link in it, or the "No results" block.
 *
 * Images, videos and news are the JSON of the site's own scripts:
 *
 * - The token `vqd` comes first, out of the site's page of results. A page of its own without one is a block, and so is
 *   an answer of a script that is no JSON. Further pages are turned away more often than first ones.
 * - Pages of 100, 60 and 30; `next` in the answer says where the next begins. An empty list is nothing found.
 * - `i.js` does not tell `moderate` from `on`. Videos have no year; news have one as a range of dates.
 */
export const duckduckgo = {
  name: "duckduckgo",
  website: "https://duckduckgo.com",
  documentation: "https://duckduckgo.com/duckduckgo-help-pages/settings/params",
  access: "page",
  pace: { perMinute: 20, burst: 10, atOnce: 1 },
  sources: { text, images, videos, news }
} as const satisfies Engine
