import { FileSystem, HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { fileURLToPath } from "node:url"
import { NotFound } from "../domain/Failure.ts"
import { documentationPages, type PageFile, pageFiles } from "./Pages/Files.ts"
import { type Representation, respond, versionOf } from "./Pages/Representation.ts"
import { queryOf } from "./RequestTarget.ts"

/** Where the built pages may lie: beside the bundle, which may have this code in a file of a folder of its own. */
export class PagesFolders extends Context.Reference<PagesFolders>()("quarry/http/PagesFolders", {
  defaultValue: (): ReadonlyArray<string> =>
    ["pages/", "../pages/"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
}) {}

/**
 * Nothing but our own scripts runs, nothing but our own host is asked, no site may frame the page. Pictures are within
 * the style sheet and the scripts. Redoc makes its `<style>` elements as it renders (styled-components), so that no hash
 * can name them ahead; its search runs in a worker made from a blob. Swagger UI does with less.
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

/** A year, for URLs that name the bytes they stand for (RFC 8246); any other spelling is asked for again each time. */
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
  // A client that goes away in the middle must not leave its interruption in the cache.
  Effect.uninterruptible
)

/** Serves the pages and what they load. They are read when somebody first asks; without them their paths are 404. */
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
