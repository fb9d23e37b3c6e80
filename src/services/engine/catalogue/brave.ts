import { images } from "./brave/Images.ts"
import { news } from "./brave/News.ts"
import { text } from "./brave/Text.ts"
import { videos } from "./brave/Videos.ts"
import { type Engine } from "../Engine.ts"

/**
 * Brave Search, which has its own index: text, images, videos and news. The parameters of the pages are not documented.
 * Those of the paid API are similar: https://api-dashboard.search.brave.com/app/documentation
 *
 * - Brave blocks by IP address for 5 to 15 minutes, with 429 or a page titled "PoW Captcha - Brave Search". Stay below
 *   10 requests a minute.
 * - Region, language and safe search are sent as cookies. An unsupported country is sent as `all`.
 * - Each page contains its results as data for its scripts: a literal written by `devalue` (Literal.ts). Text and news
 *   are also in the page's elements. Images and videos are only in the data.
 * - `noResults` or an empty list in the data marks an empty page.
 */
export const brave = {
  name: "brave",
  website: "https://search.brave.com",
  documentation: "https://search.brave.com/help",
  access: "page",
  pace: { perMinute: 10, burst: 5 },
  sources: { text, images, videos, news }
} as const satisfies Engine
