import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isSlow } from "../support/Cases.ts"
import { failed, search } from "../support/Client.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { quarry } from "../support/Quarry.ts"

/** What a fetch that has to fail answers: status, message and details. */
const refusal = (url: string, parameters: Readonly<Record<string, string | number>> = {}) =>
  Effect.gen(function* () {
    const answer = yield* search("/api/content/fetch", { url, ...parameters })
    const { details, error } = yield* failed(answer)
    return { status: answer.status, error, details }
  })

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("targets that fail", (it) => {
  const failures: ReadonlyArray<readonly [path: string, reason: string, status_code: number | null]> = [
    ["/status/400", "http_status", 400],
    ["/status/404", "http_status", 404],
    ["/status/410", "http_status", 410],
    ["/status/429", "http_status", 429],
    ["/status/500", "http_status", 500],
    ["/status/503", "http_status", 503],
    ["/redirect/6", "too_many_redirects", 302],
    ["/redirect/loop", "too_many_redirects", 302],
    ["/reset", "connect_error", null],
    ["/huge", "too_large", 200],
    ["/bomb", "too_large", 200],
    ["/truncated", "truncated", 200],
    ["/truncated-chunked", "truncated", 200],
    ["/packed/broken", "undecodable", 200],
    ["/packed/zstd", "undecodable", 200],
    ["/pdf/broken", "undecodable", 200],
    ["/pdf/locked", "undecodable", 200]
  ]
  it.effect("say why", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      for (const [path, reason, status_code] of failures) {
        const url = web.url(path)
        expect(yield* refusal(url), path).toEqual({
          status: 502,
          error: "Fetch failed",
          details: { url, reason, status_code }
        })
      }
    })
  )

  it.effect("cannot be reached, found or trusted", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const unreachable = [
        ["http://127.0.0.1:1/", "connect_error"],
        ["http://nobody.invalid/", "dns_error"],
        [web.flawedUrl("expired", "/article"), "tls_error"],
        [web.flawedUrl("self-signed", "/article"), "tls_error"],
        [web.flawedUrl("wrong-name", "/article"), "tls_error"],
        [web.url("/article").replace("http:", "https:"), "tls_error"]
      ] as const
      for (const [url, reason] of unreachable) {
        expect(yield* refusal(url)).toEqual({
          status: 502,
          error: "Fetch failed",
          details: { url, reason, status_code: null }
        })
      }
    })
  )

  it.effect("are refused by policy, directly and behind a redirect", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const refused = [
        ["http://10.0.0.1/", "private_address"],
        ["http://192.168.1.1:8080/", "private_address"],
        ["http://[::1]/", "private_address"],
        ["http://[::ffff:10.0.0.1]/", "private_address"],
        ["http://0x0a000001/", "private_address"],
        ["http://0/", "private_address"],
        ["http://169.254.169.254/latest/meta-data/", "metadata_host"],
        ["http://metadata.google.internal/", "metadata_host"],
        ["http://93.184.216.34:25/", "port"],
        ["http://user:secret@93.184.216.34/", "credentials"]
      ] as const
      for (const [target, reason] of refused) {
        const behind = web.url(`/redirect-to?url=${encodeURIComponent(target)}`)
        for (const url of [target, behind]) {
          expect(yield* refusal(url), url).toEqual({
            status: 403,
            error: "URL not allowed",
            details: { url: expect.any(String), reason }
          })
        }
      }
      for (const target of ["ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x"]) {
        const url = web.url(`/redirect-to?url=${encodeURIComponent(target)}`)
        expect(yield* refusal(url), target).toEqual({
          status: 403,
          error: "URL not allowed",
          details: { url, reason: "scheme" }
        })
      }
    })
  )

  it.effect("have no text", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      for (const [path, content_type] of [
        ["/png", "image/png"],
        ["/mp4", "video/mp4"],
        ["/zip", "application/zip"]
      ] as const) {
        const url = web.url(path)
        expect(yield* refusal(url), path).toEqual({
          status: 415,
          error: "Unsupported content type",
          details: { url, content_type }
        })
      }
    })
  )

  if (isSlow)
    it.effect("are too slow", () =>
      Effect.gen(function* () {
        const web = yield* ContentWeb
        yield* Effect.forEach(
          ["/hang", "/endless", "/slow/20000"],
          (path) =>
            Effect.gen(function* () {
              const url = web.url(path)
              expect(yield* refusal(url, { timeout: 5 }), path).toEqual({
                status: 504,
                error: "Fetch timed out",
                details: { url, timeout: 5 }
              })
            }),
          { concurrency: "unbounded" }
        )
      })
    )
})
