import { images } from "./bing/Images.ts"
import { news } from "./bing/News.ts"
import { text } from "./bing/Text.ts"
import { videos } from "./bing/Videos.ts"
import { type Engine } from "../Engine.ts"

/**
 * Bing. The API (https://learn.microsoft.com/en-us/bing/search-apis/) closed in August 2025. Stay below 10 requests a
 * minute.
 *
 * - Market: reports disagree on whether query parameters, cookies or neither take effect. Query parameters were
 *   observed to return empty pages. A market that did not match the client's IP address returned unrelated results.
 *   Therefore `wt-wt` and the default `us-en` send no market. Other regions send the cookies `_EDGE_S` and `_EDGE_CD`
 *   and `Accept-Language`.
 * - Bing blocks with a Turnstile page ("One last step") under status 200.
 * - Result links may go through `/ck/a`, whose target is base64url after the prefix "a1". Advertisements go through
 *   `/aclick`.
 * - Suspected bots get page 1 again. Beyond the last page, every client gets the last page again. A page that starts
 *   like an earlier one is therefore the end of the results.
 *
 * Text: suspected bots get a page of unrelated results, so the source sets `poisons`. Ten results a page. The page's
 * "Next" link numbers them 11, 21, … with `FORM=PORE`.
 *
 * Images: the tiles that the page loads from `/images/async`. Tiles repeat within a page and are deduplicated by image
 * file. U+E000 and U+E001 enclose matched words.
 *
 * News: the cards that the page loads from `/news/infinitescrollajax`. A card's date is a label ("5 hours ago",
 * "9/3/2026") or a short form ("5h"). The RSS feed (`/news/search?format=rss`) is the fallback when the cards cannot be
 * fetched or parsed. The feed may be discontinued.
 *
 * Videos: two tile layouts, with data in `mmeta` and `vrhm`. The names of the length and resolution filters come from
 * other programs, not from Bing. There is no filter for licences or for low resolution.
 */
export const bing = {
  name: "bing",
  website: "https://www.bing.com",
  documentation: "https://learn.microsoft.com/en-us/bing/search-apis/",
  access: "page",
  pace: { perMinute: 10, burst: 10 },
  sources: { text, images, videos, news }
} as const satisfies Engine
