import { images } from "./bing/Images.ts"
import { news } from "./bing/News.ts"
import { text } from "./bing/Text.ts"
import { videos } from "./bing/Videos.ts"
import { type Engine } from "../Engine.ts"

/**
 * Bing. No API any more (https://learn.microsoft.com/en-us/bing/search-apis/ closed in August 2025). Stay below 10
 * requests a minute.
 *
 * - Market: reports disagree whether query parameters, cookies or nothing works; parameters were seen to bring empty
 *   pages, and a market that does not fit the address unrelated results. So: nothing for `wt-wt` and for the default
 *   `us-en`, else the cookies `_EDGE_S` and `_EDGE_CD` with `Accept-Language`.
 * - Blocks with a Turnstile page ("One last step") under 200.
 * - Links may lead over `/ck/a`, whose target is base64url behind "a1"; advertisements over `/aclick`.
 * - Programs it dislikes get page 1 again, and everybody gets the last page again behind the last: a page that begins
 *   like an earlier one is the end.
 *
 * Text: programs it dislikes get a page of unrelated results, hence `poisons`. Ten results a page, which the page's own
 * "Next" numbers 11, 21, … with `FORM=PORE`.
 *
 * Images are the tiles that its own page loads (`/images/async`). They repeat within a page, and are told apart by the
 * picture's file. Matched words stand between U+E000 and U+E001.
 *
 * News are the cards that its own page loads (`/news/infinitescrollajax`), in which a date can be a label ("5 hours
 * ago", "9/3/2026") or short ("5h"). The feed (`/news/search?format=rss`), which may be no more, is asked for instead when the
 * cards could not be had or read.
 *
 * Videos: tiles in two dresses, data in `mmeta` and `vrhm`. The names of the filters for length and resolution come from
 * other programs, not from Bing; it has no filter for licences, and none for low resolution.
 */
export const bing = {
  name: "bing",
  website: "https://www.bing.com",
  documentation: "https://learn.microsoft.com/en-us/bing/search-apis/",
  access: "page",
  pace: { perMinute: 10, burst: 10 },
  sources: { text, images, videos, news }
} as const satisfies Engine
