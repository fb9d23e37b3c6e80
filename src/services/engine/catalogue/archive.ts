import { type Engine } from "../Engine.ts"
import { books } from "./archive/Books.ts"
import { videos } from "./archive/Videos.ts"

/**
 * The Internet Archive: scanned books, films and recordings. https://archive.org/help/aboutsearch.htm
 *
 * - Requires a User-Agent that names a contact. There is no published limit. One request a second is accepted; a higher
 *   rate can return 429.
 * - Queries use Lucene syntax. The user's query is reduced to plain words and phrases. At most 10,000 results a query.
 * - Any member of an item can be a text, a number or a list of these. Descriptions are HTML.
 * - No safe search and no regions. Languages have too many spellings to search by.
 * - The time limit applies to the date on which a video was added to the Archive. There is no filter for length.
 */
export const archive = {
  name: "archive",
  website: "https://archive.org",
  documentation: "https://archive.org/help/aboutsearch.htm",
  access: "api",
  pace: { perMinute: 40, burst: 15 },
  sources: { videos, books }
} as const satisfies Engine
