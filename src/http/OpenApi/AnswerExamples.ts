import { type BatchAnswer, type SearchAnswer, type UnifiedAnswer } from "../../domain/Answer.ts"
import { type ContentDocument } from "../../domain/Content.ts"
import { engineListOf, type Health, type Info, type Ready } from "../../domain/Info.ts"
import { type SourceReceipt } from "../../domain/Outcome.ts"
import { rateLimits, windowSeconds } from "../../domain/RateLimits.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { version } from "../../domain/Version.ts"
import { engineExample } from "./EngineExample.ts"
import { itemExamples } from "./ItemExamples.ts"

const receipt = (engine: string, outcome: SourceReceipt["outcome"], results_count: number, took_ms: number) => ({
  engine,
  outcome,
  results_count,
  took_ms
})

const receipts = {
  text: [receipt("duckduckgo", "ok", 10, 612), receipt("mojeek", "ok", 10, 384), receipt("wikipedia", "empty", 0, 171)],
  images: [receipt("bing", "blocked", 0, 260), receipt("openverse", "ok", 4, 530)],
  videos: [receipt("dailymotion", "ok", 3, 340), receipt("sepiasearch", "ok", 2, 410)],
  news: [receipt("googlenews", "ok", 100, 290), receipt("hackernews", "unsupported", 0, 0)],
  books: [receipt("openlibrary", "ok", 10, 720), receipt("gutendex", "timeout", 0, 10_000)]
} as const satisfies Record<SearchKind, ReadonlyArray<SourceReceipt>>

const answerOf = <K extends SearchKind>(kind: K, query: string): SearchAnswer<K> => ({
  success: true,
  query,
  results_count: 1,
  results: [itemExamples[kind]],
  page: 1,
  sources: receipts[kind],
  took_ms: 734,
  cached: false
})

const kindReceipt = (kind: SearchKind) => ({
  results_count: 1,
  took_ms: 734,
  error: null,
  engines: receipts[kind]
})

const unified: UnifiedAnswer = {
  success: true,
  query: "red panda",
  results_count: 2,
  results: [
    { type: "text", ...itemExamples.text },
    { type: "image", ...itemExamples.images }
  ],
  sources: {
    text: kindReceipt("text"),
    images: kindReceipt("images"),
    videos: { results_count: 0, took_ms: 410, error: null, engines: [receipt("dailymotion", "empty", 0, 410)] },
    news: { results_count: 0, took_ms: 290, error: null, engines: [receipt("googlenews", "empty", 0, 290)] },
    books: {
      results_count: 0,
      took_ms: 3_020,
      error: { error: "Search failed", details: { sources: [receipt("openlibrary", "http_status", 0, 3_020)] } },
      engines: [receipt("openlibrary", "http_status", 0, 3_020)]
    }
  },
  took_ms: 3_041
}

const content = "This domain is for use in documentation examples without needing permission. Avoid use in operations."

const page: ContentDocument = {
  success: true,
  url: "https://example.com/",
  final_url: "https://example.com/",
  status_code: 200,
  content_type: "text/html",
  title: "Example Domain",
  description: null,
  author: null,
  published: null,
  modified: null,
  site_name: null,
  language: "en",
  canonical: null,
  image: null,
  page_kind: null,
  word_count: 15,
  content,
  format: "text",
  content_length: content.length,
  returned_length: content.length,
  trimmed: false,
  next_offset: null,
  truncated_input: false,
  hidden_text: false
}

const batch: BatchAnswer = {
  success: true,
  results_count: 2,
  results: [
    page,
    {
      success: false,
      url: "https://example.org/missing",
      error: "Fetch failed",
      details: { url: "https://example.org/missing", reason: "http_status", status_code: 404 }
    }
  ]
}

const info: typeof Info.Type = {
  name: "Quarry",
  description: "Open search-and-extract service: web, image, video, news and book search, and clean main text.",
  version,
  environment: "production",
  endpoints: [{ method: "GET", path: "/api/search/text", description: "Web search" }],
  rate_limits: { window_seconds: windowSeconds, requests: rateLimits.production },
  documentation: { docs: "/docs", redoc: "/redoc", openapi: "/openapi.json" }
}

const health: typeof Health.Type = { status: "healthy", service: "quarry", version, uptime_seconds: 86_400 }

const ready: typeof Ready.Type = { success: true, status: "ready" }

/** Example of each operation's successful response, by operation id. */
export const answerExamples: Readonly<Record<string, unknown>> = {
  "search.text": answerOf("text", "effect typescript"),
  "search.images": answerOf("images", "red panda"),
  "search.videos": answerOf("videos", "how bridges are built"),
  "search.news": answerOf("news", "renewable energy"),
  "search.books": answerOf("books", "pride and prejudice"),
  "unified.all": unified,
  "content.fetch": page,
  "content.fetchMultiple": batch,
  "info.info": info,
  "info.health": health,
  "info.ready": ready,
  "info.engines": engineListOf([engineExample]),
  "info.openapi": { openapi: "3.1.0", info: { title: "Quarry", version }, paths: {} }
}

/** Example request bodies, by operation id. */
export const bodyExamples: Readonly<Record<string, unknown>> = {
  "content.fetchMultiple": {
    urls: ["https://example.com/", "https://example.org/missing"],
    timeout: 10,
    max_length: 2_000,
    format: "text"
  }
}
