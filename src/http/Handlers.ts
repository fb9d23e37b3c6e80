import { HttpApiBuilder, OpenApi } from "@effect/platform"
import { Effect, Layer } from "effect"
import { engineListOf } from "../domain/Info.ts"
import { rateLimits, windowSeconds } from "../domain/RateLimits.ts"
import { version } from "../domain/Version.ts"
import { Content } from "../services/content/Content.ts"
import { Engines } from "../services/engine/Engines.ts"
import { Health } from "../services/health/Health.ts"
import { Search } from "../services/search/Search.ts"
import { Settings } from "../services/settings/Settings.ts"
import { Api } from "./Api.ts"
import { MountedApps } from "./MountedApps.ts"
import { documentationPages } from "./Pages/Files.ts"
import { compressed, respond } from "./Pages/Representation.ts"
import { makeReady } from "./Readiness.ts"
import { batchRequest } from "./RequestBody.ts"
import { pageSummaries, summaries } from "./Summaries.ts"

const search = HttpApiBuilder.group(Api, "search", (handlers) =>
  Effect.gen(function* () {
    const { run } = yield* Search
    return handlers
      .handle("text", ({ urlParams }) => run("text", urlParams))
      .handle("images", ({ urlParams }) => run("images", urlParams))
      .handle("videos", ({ urlParams }) => run("videos", urlParams))
      .handle("news", ({ urlParams }) => run("news", urlParams))
      .handle("books", ({ urlParams }) => run("books", urlParams))
  })
)

const unified = HttpApiBuilder.group(Api, "unified", (handlers) =>
  Effect.gen(function* () {
    const { all } = yield* Search
    return handlers.handle("all", ({ urlParams }) => all(urlParams))
  })
)

const content = HttpApiBuilder.group(Api, "content", (handlers) =>
  Effect.gen(function* () {
    const { fetch, fetchAll } = yield* Content
    return handlers
      .handle("fetch", ({ urlParams }) => fetch(urlParams))
      .handleRaw("fetchMultiple", ({ request }) => Effect.flatMap(batchRequest(request), fetchAll))
  })
)

const info = HttpApiBuilder.group(Api, "info", (handlers) =>
  Effect.gen(function* () {
    const { environment } = yield* Settings
    const health = yield* Health
    const engines = yield* Engines
    const ready = yield* makeReady
    const mountedApps = yield* MountedApps
    const mounted = mountedApps.flatMap(({ description, methods, path }) =>
      methods.map((method) => ({ method, path, description }))
    )
    const document = yield* Effect.cached(
      // Uninterruptible, so that a disconnect of the first client is not cached in place of the document.
      Effect.uninterruptible(Effect.suspend(() => compressed("application/json", JSON.stringify(OpenApi.fromApi(Api)))))
    )
    return handlers
      .handle("info", () =>
        Effect.succeed({
          name: "Quarry",
          description: "Open search-and-extract service: web, image, video, news and book search, and clean main text.",
          version,
          environment,
          endpoints: [...summaries, ...pageSummaries, ...mounted],
          rate_limits: { window_seconds: windowSeconds, requests: rateLimits[environment] },
          documentation: {
            docs: documentationPages.docs.path,
            redoc: documentationPages.redoc.path,
            openapi: "/openapi.json"
          }
        })
      )
      .handle("health", () => health.report)
      .handle("ready", () => ready)
      .handle("engines", () => Effect.map(engines.report, engineListOf))
      .handleRaw("openapi", ({ request }) =>
        Effect.flatMap(document, (found) => respond(request, found, { "cache-control": "no-cache" }))
      )
  })
)

/** Handlers of every group of the API. */
export const handlers = Layer.mergeAll(search, unified, content, info)
