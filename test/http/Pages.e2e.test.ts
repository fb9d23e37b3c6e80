import { expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { type IncomingHttpHeaders, request } from "node:http"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { pageFiles } from "../../src/http/Pages/Files.ts"
import { call, failed, newClient } from "../support/Client.ts"
import { main, Server, start } from "../support/Server.ts"

interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As it came, still compressed. */
  readonly bytes: Buffer
}

/** Asks with these headers, as a client of its own budget, and decodes nothing. */
const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  Effect.flatMap(Server, ({ baseUrl }) =>
    Effect.async<Raw>((resume) => {
      request(`${baseUrl}${path}`, { method, headers: { "X-Forwarded-For": newClient(), ...headers } }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () => {
          resume(
            Effect.succeed({
              status: response.statusCode ?? 0,
              headers: response.headers,
              bytes: Buffer.concat(chunks)
            })
          )
        })
      }).end()
    })
  )

const paths = [...pageFiles, { path: "/openapi.json", contentType: "application/json" }] as const

/** What a page loads, as it spells it. */
const loadedBy = (html: string) => Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, url = ""]) => url)

const plainOf = ({ bytes, headers }: Raw): string => {
  const coding = headers["content-encoding"]
  if (coding === "br") return brotliDecompressSync(bytes).toString()
  return (coding === "gzip" ? gunzipSync(bytes) : bytes).toString()
}

layer(Server.layer({ TRUST_PROXY: "1" }), { excludeTestServices: true, timeout: "30 seconds" })((it) => {
  for (const { contentType, path } of paths) {
    it.effect(`${path} comes in the coding that is asked for, with a tag for each`, () =>
      Effect.gen(function* () {
        const plain = yield* ask(path)
        const gzip = yield* ask(path, { "Accept-Encoding": "gzip" })
        const br = yield* ask(path, { "Accept-Encoding": "gzip, deflate, br, zstd" })
        expect([plain, gzip, br].map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "gzip", "br"])
        for (const answer of [plain, gzip, br]) {
          expect(answer.status).toBe(200)
          expect(answer.headers).toMatchObject({
            "content-type": contentType,
            "content-length": String(answer.bytes.length),
            vary: "Accept-Encoding",
            "x-content-type-options": "nosniff",
            "x-ratelimit-limit": "60",
            "x-ratelimit-remaining": "59"
          })
          expect(answer.headers["ratelimit"]).toMatch(/^"info";/)
          expect(plainOf(answer)).toBe(plain.bytes.toString())
        }
        expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3)
      })
    )

    it.effect(`${path} is not sent again to who has it`, () =>
      Effect.gen(function* () {
        const { headers } = yield* ask(path, { "Accept-Encoding": "br" })
        const etag = headers.etag ?? ""
        for (const given of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const again = yield* ask(path, { "Accept-Encoding": "br", "If-None-Match": given })
          expect(again.status).toBe(304)
          expect(again.bytes.length).toBe(0)
          expect(again.headers).toMatchObject({ etag, vary: "Accept-Encoding", "cache-control": "no-cache" })
          expect(again.headers).toHaveProperty("x-ratelimit-remaining")
          expect(again.headers).not.toHaveProperty("content-encoding")
        }
        const other = yield* ask(path, { "Accept-Encoding": "gzip", "If-None-Match": etag })
        expect(other.status).toBe(200)
      })
    )

    it.effect(`${path} answers HEAD as GET, other methods with 405`, () =>
      Effect.gen(function* () {
        const accept = { "Accept-Encoding": "br" }
        const got = yield* ask(path, accept)
        const head = yield* ask(path, accept, "HEAD")
        expect(head.status).toBe(200)
        expect(head.bytes.length).toBe(0)
        for (const name of ["content-type", "content-length", "content-encoding", "etag", "vary", "cache-control"]) {
          expect(head.headers[name], name).toBe(got.headers[name])
        }
        const posted = yield* ask(path, {}, "POST")
        expect(posted.status).toBe(405)
        expect(posted.headers.allow).toBe("GET, HEAD, OPTIONS")
        const options = yield* ask(path, {}, "OPTIONS")
        expect(options.status).toBe(204)
        expect(options.headers.allow).toBe("GET, HEAD, OPTIONS")
      })
    )
  }

  for (const page of ["/docs", "/redoc"]) {
    it.effect(`${page} loads little, from here, and for ever`, () =>
      Effect.gen(function* () {
        const html = plainOf(yield* ask(page))
        const urls = loadedBy(html).filter((url) => !url.startsWith("data:") && url !== "openapi.json")
        expect(urls.length).toBeGreaterThan(0)
        expect(urls.length).toBeLessThanOrEqual(3)
        for (const url of urls) {
          expect(url).toMatch(/^(docs|redoc)\/[\w.-]+\?v=[\da-f]{16}$/)
          const kept = yield* ask(`/${url}`)
          expect(kept.status).toBe(200)
          expect(kept.headers["cache-control"]).toBe("public, max-age=31536000, immutable")
          const stale = yield* ask(`/${url.replace(/v=.*/, "v=0000000000000000")}`)
          expect(stale.headers["cache-control"]).toBe("no-cache")
        }
        expect(html).not.toMatch(/<script>|\son\w+=|https?:\/\/(?!www\.w3\.org\/)/)
      })
    )

    it.effect(`${page} lets nothing but its own scripts run, and nobody frame it`, () =>
      Effect.gen(function* () {
        const { headers } = yield* ask(page)
        expect(String(headers["content-security-policy"]).split("; ")).toEqual([
          "default-src 'none'",
          "script-src 'self'",
          "img-src data:",
          "connect-src 'self'",
          // Redoc's styles and its search: see Pages.ts.
          ...(page === "/redoc" ? ["style-src 'unsafe-inline'", "worker-src blob:"] : ["style-src 'self'"]),
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'"
        ])
        expect(headers["referrer-policy"]).toBe("no-referrer")
      })
    )
  }

  it.effect("what is no page has no policy of pages", () =>
    Effect.gen(function* () {
      for (const path of ["/openapi.json", "/docs/start.js", "/health", "/docs/nothing"]) {
        const { headers } = yield* ask(path)
        expect(headers).not.toHaveProperty("content-security-policy")
        expect(headers["x-content-type-options"]).toBe("nosniff")
      }
    })
  )

  it.effect("GET / names the pages", () =>
    Effect.gen(function* () {
      const { body } = yield* call("/")
      expect(body).toMatchObject({
        documentation: { docs: "/docs", redoc: "/redoc", openapi: "/openapi.json" },
        endpoints: expect.arrayContaining([
          expect.objectContaining({ method: "GET", path: "/docs" }),
          expect.objectContaining({ method: "GET", path: "/redoc" })
        ])
      })
    })
  )
})

layer(Server.layer({ CORS_ORIGINS: "https://app.example" }), { excludeTestServices: true })((it) => {
  it.effect("pages vary by origin as well where the origin counts", () =>
    Effect.gen(function* () {
      const { headers } = yield* ask("/docs", { Origin: "https://app.example" })
      expect(headers.vary).toBe("Accept-Encoding, Origin")
      expect(headers["access-control-allow-origin"]).toBe("https://app.example")
    })
  )
})

/** The build without its pages, in a folder of its own. */
const withoutPages = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "quarry-without-pages-"))
    cpSync(dirname(main), folder, { recursive: true, filter: (path) => basename(path) !== "pages" })
    return folder
  }),
  (folder) =>
    Effect.sync(() => {
      rmSync(folder, { recursive: true })
    })
)

it.scopedLive("without its pages the service serves the rest, and says so once", () =>
  Effect.gen(function* () {
    const folder = yield* withoutPages
    const server = yield* start({}, join(folder, basename(main)))
    const provided = Effect.provideService(Server, server)
    for (const { path } of pageFiles) {
      const answer = yield* provided(call(path))
      expect(answer.status).toBe(404)
      expect(yield* failed(answer)).toEqual({ success: false, error: "Not found", details: null })
    }
    expect((yield* provided(call("/health"))).status).toBe(200)
    expect((yield* provided(call("/openapi.json"))).status).toBe(200)
    yield* server.stop("SIGTERM")
    const warnings = (yield* server.stderr).split("\n").filter((line) => line.includes("WARN"))
    expect(warnings.length).toBe(1)
    expect(warnings[0]).toContain("npm run build")
  })
)
