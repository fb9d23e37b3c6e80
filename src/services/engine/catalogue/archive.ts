import { type Engine } from "../Engine.ts"
import { books } from "./archive/Books.ts"
import { videos } from "./archive/Videos.ts"

/**
 * The Internet Archive: scanned books, films, recordings. https://archive.org/help/aboutsearch.htm
 *
 * - Wants a User-Agent that names a contact. No published limit; a request a second is no trouble, more may be 429.
 * - The query is Lucene's: what a user writes is taken as plain words and phrases. At most 10,000 results a query.
 * - Any member of an item may be a text, a number or a list of these; descriptions are HTML.
 * - No safe search, no regions: languages are written in too many ways to search by.
 * - The time limit goes by when a video came to the Archive. Lengths cannot be searched for.
 */
export const archive = {
  name: "archive",
  website: "https://archive.org",
  documentation: "https://archive.org/help/aboutsearch.htm",
  access: "api",
  pace: { perMinute: 40, burst: 15 },
  sources: { videos, books }
} as const satisfies Engine
