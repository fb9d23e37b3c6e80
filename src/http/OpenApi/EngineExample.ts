import { type EngineReport } from "../../domain/EngineReport.ts"

/** An engine that is resting after a block. */
export const engineExample: EngineReport = {
  name: "mojeek",
  website: "https://www.mojeek.com",
  documentation: "https://www.mojeek.com/support/search-operators.html",
  access: "page",
  needs_key: false,
  kinds: {
    text: { honours: ["region", "safesearch", "timelimit"], regions: { except: [] } },
    images: null,
    videos: null,
    news: null,
    books: null
  },
  pace: { per_minute: 6, burst: 3 },
  health: {
    successes: 41,
    empties: 2,
    failures: {
      blocked: 1,
      rate_limited: 0,
      timeout: 1,
      dns_error: 0,
      connect_error: 0,
      tls_error: 0,
      proxy_error: 0,
      http_status: 0,
      layout_changed: 0,
      irrelevant: 0,
      unsupported: 0
    },
    latency_ms: { p50: 384, p95: 1_120 },
    last_error: { outcome: "blocked", at: "2026-11-05T09:30:00.000Z" }
  },
  rest: {
    reason: "blocked",
    since: "2026-11-05T09:30:00.000Z",
    until: "2026-11-05T09:33:12.000Z",
    level: 1
  }
}
