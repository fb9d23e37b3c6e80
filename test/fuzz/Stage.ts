import { Effect } from "effect"
import { Pool } from "undici"
import { ContentWeb } from "../support/ContentWeb.ts"
import { only, quarry } from "../support/Quarry.ts"
import { Server } from "../support/Server.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

/** The real server over the test web, with one engine of each kind: engines are not what is tried here. */
export const stage = quarry({
  APP_ENV: "production",
  SEARCH_TIMEOUT: "2",
  ...only("wikipedia", "openverse", "dailymotion", "hackernews", "openlibrary")
})

const pages = [
  "/article",
  "/long",
  "/hidden",
  "/json",
  "/feed",
  "/packed/gzip",
  "/status/404",
  "/redirect/2",
  "/png",
  "/truncated"
]

/** The server's address and process, a pool of connections to it, and the pages that can be fetched. */
export const makeStage = Effect.gen(function* () {
  const { baseUrl, pid, stderr } = yield* Server
  const content = yield* ContentWeb
  const web = yield* TestWeb
  yield* web.behaveAll(Behaviour.generated(5))
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool(baseUrl, { connections: 48, keepAliveTimeout: 60_000 })),
    (made) => Effect.promise(() => made.destroy())
  )
  return { pool, pid, stderr, pages: pages.map(content.url), forget: Effect.zipRight(web.forget, content.forget) }
})
