import { images } from "./brave/Images.ts"
import { news } from "./brave/News.ts"
import { text } from "./brave/Text.ts"
import { videos } from "./brave/Videos.ts"
import { type Engine } from "../Engine.ts"

/**
 * Brave Search, an index of its own: text, images, videos, news. The pages' parameters are not documented; those of the
 * paid API are close: https://api-dashboard.search.brave.com/app/documentation
 *
 * - Blocks by address with 429, or a page titled "PoW Captcha - Brave Search", for 5 to 15 minutes. Stay below 10
 *   requests a minute.
 * - Region, language and safe search go in cookies. A country that it does not know is `all`.
 * - Every page carries its results as data for its scripts, a literal written by `devalue` (Literal.ts). Text and news
 *   can be read off the page as well; pictures and videos are in the data alone.
 * - An empty page is told by `noResults`, or by the empty list in its data.
 */
export const brave = {
  name: "brave",
  website: "https://search.brave.com",
  documentation: "https://search.brave.com/help",
  access: "page",
  pace: { perMinute: 10, burst: 5 },
  sources: { text, images, videos, news }
} as const satisfies Engine
