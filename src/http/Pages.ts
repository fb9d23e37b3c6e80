import { FileSystem, HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { fileURLToPath } from "node:url"
import { NotFound } from "../domain/Failure.ts"
import { documentationPages, type PageFile, pageFiles } from "./Pages/Files.ts"
import { type Representation, respond, versionOf } from "./Pages/Representation.ts"
import { queryOf } from "./RequestTarget.ts"

/**
 * Possible folders of the built pages: beside this file, or one level up when the bundler puts this code in a
 * subfolder.
 */
export class PagesFolders extends Context.Reference<PagesFolders>()("quarry/http/PagesFolders", {
  defaultValue: (): ReadonlyArray<string> =>
    ["pages/", "../pages/"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
}) {}

/**
 * Content security policy of a page. Only Quarry's own scripts run, only its own host is requested, and no site may
 * frame the page. Images are embedded in the style sheet and the scripts. Redoc creates its `<style>` elements at run
 * time (styled-components), so no hash can list them in advance; its search runs in a worker created from a blob.
 * Swagger UI needs neither permission.
 */
const policyOf = (page: PageFile) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "img-src data:",
    "connect-src 'self'",
    ...(page.path === documentationPages.redoc.path
      ? ["style-src 'unsafe-inline'", "worker-src blob:"]
      : ["style-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const pageHeaders = (page: PageFile) => ({
  "cache-control": "no-cache",
  "content-security-policy": policyOf(page),
  "referrer-policy": "no-referrer"
})

/** Caches a URL for a year when it names its own bytes (RFC 8246). Any other URL is revalidated on each request. */
const assetHeaders = (url: string, { version }: Representation) => ({
  "cache-control": queryOf(url).get("v") === version ? "public, max-age=31536000, immutable" : "no-cache"
})

const isPage = (file: PageFile) => Object.values(documentationPages).some(({ path }) => path === file.path)

const loadFrom = (folder: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const loaded = yield* Effect.forEach(pageFiles, ({ contentType, name, path }) =>
      Effect.gen(function* () {
        const gzip = yield* files.readFile(`${folder}/${name}.gz`)
        const br = yield* files.readFile(`${folder}/${name}.br`)
        return [path, { contentType, version: versionOf(gzip), br, gzip }] as const
      })
    )
    return new Map<string, Representation>(loaded)
  })

const load = Effect.flatMap(PagesFolders, (folders) => Effect.firstSuccessOf(folders.map(loadFrom))).pipe(
  Effect.tapError((error) =>
    Effect.logWarning("the documentation pages are not there: build them with `npm run build`").pipe(
      Effect.annotateLogs({ reason: error.message })
    )
  ),
  Effect.option,
  // The interruption of a client that disconnects meanwhile must not be cached.
  Effect.uninterruptible
)

/**
 * Serves the documentation pages and their assets. Reads the files on the first request. Answers 404 when they are
 * missing.
 */
export const pages = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const loaded = yield* Effect.cached(load)
    const answer = (file: PageFile) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const found = Option.flatMapNullable(yield* loaded, (all) => all.get(file.path))
        if (Option.isNone(found)) return yield* new NotFound()
        return yield* respond(
          request,
          found.value,
          isPage(file) ? pageHeaders(file) : assetHeaders(request.url, found.value)
        )
      })
    for (const file of pageFiles) yield* router.get(file.path, answer(file))
  })
)
