import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { sample } from "../support/Cases.ts"
import { call, failed, found, search } from "../support/Client.ts"
import { only, quarry } from "../support/Quarry.ts"
import { main, runToEnd, Server, start } from "../support/Server.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

describe("stopping", () => {
  for (const signal of sample(["SIGTERM", "SIGINT"] as const)) {
    it.live(`${signal} ends an idle service with code 0`, () =>
      Effect.gen(function* () {
        const server = yield* start({})
        yield* Effect.promise(() => fetch(`${server.baseUrl}/health`))
        expect(yield* server.stop(signal)).toEqual({ code: 0, signal: null })
        expect(yield* server.stdout).toBe("")
      }).pipe(Effect.scoped)
    )
  }

  it.live("goes on when the reader of its log ends, and ends with code 0", () =>
    Effect.promise(async () => {
      const env = { PATH: process.env["PATH"], HOST: "127.0.0.1", PORT: "0", LOG_FORMAT: "json" }
      const server = spawn(process.execPath, [main], { env, stdio: ["ignore", "ignore", "pipe"] })
      let log = ""
      for await (const chunk of server.stderr) {
        log += String(chunk)
        if (log.includes('"listening"')) break
      }
      server.stderr.destroy()
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(log)?.[0] ?? ""
      for (let times = 0; times < 3; times++) expect((await fetch(`${url}/health`)).status).toBe(200)
      const ended = once(server, "exit")
      server.kill("SIGTERM")
      expect(await ended).toEqual([0, null])
    })
  )

  it.live("waits for no connection that never asked for anything", () =>
    Effect.gen(function* () {
      const server = yield* start({})
      const silent = connect(server.port, "127.0.0.1")
      const halfway = connect(server.port, "127.0.0.1", () => halfway.write("GET /health HTTP/1.1\r\nHost:"))
      for (const socket of [silent, halfway]) socket.on("error", () => undefined)
      yield* Effect.promise(() => fetch(`${server.baseUrl}/health`))
      // Half of the time that what runs is given.
      const exit = yield* Effect.timeoutFail(server.stop("SIGTERM"), {
        duration: "5 seconds",
        onTimeout: () => "The service still waits."
      })
      expect(exit).toEqual({ code: 0, signal: null })
    }).pipe(Effect.scoped)
  )

  it.live("finishes what runs, takes nothing new", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const server = yield* Server
      const { open, opened } = Behaviour.gate()
      yield* web.behaveAll(Behaviour.held(opened, Behaviour.generated(5)))
      const running = yield* Effect.fork(search("/api/search/books", { q: "last bridge" }))
      yield* web.arrived("openlibrary", 1)
      yield* web.arrived("gutendex", 1)
      yield* server.signal("SIGTERM")
      yield* refusing(server.port)
      yield* open
      const answer = yield* Fiber.join(running)
      expect([answer.status, (yield* found(answer)).results_count]).toEqual([200, 10])
      expect(yield* server.exit).toEqual({ code: 0, signal: null })
    }).pipe(Effect.provide(quarry()))
  )
})

/** In whichever letter case. */
const disabled = { ENGINES_DISABLED: only("duckduckgo", "wikipedia").ENGINES_DISABLED.replace("mojeek", " Mojeek") }

/** Waits until nobody listens on a port any more. */
const refusing = (port: number): Effect.Effect<void> =>
  Effect.async<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy()
      resume(Effect.succeed(false))
    })
    socket.on("error", () => resume(Effect.succeed(true)))
  }).pipe(Effect.delay("20 millis"), Effect.repeat({ until: (refused) => refused }))

/** Variable, unusable value, and a word of the message besides the variable's name. */
const unusable: ReadonlyArray<readonly [name: string, value: string, says: string]> = [
  ["APP_ENV", "staging", "development"],
  ["PORT", "http", "http"],
  ["PORT", "70000", "70000"],
  ["SEARCH_TIMEOUT", "0", "0"],
  ["SEARCH_TIMEOUT", "61", "60"],
  ["SEARCH_TIMEOUT", "soon", "soon"],
  ["SEARCH_PROXY", "http://proxy:8080", "socks5"],
  ["SEARCH_PROXY", "proxy:1080", "socks5"],
  ["TRUST_PROXY", "everyone", "everyone"],
  ["FETCH_ALLOWED_NETWORKS", "10.0.0.0/33", "10.0.0.0/33"],
  ["FETCH_ALLOWED_PORTS", "80,ftp", "80,ftp"],
  ["ENGINES_DISABLED", "altavista", "mojeek"],
  ["CACHE_TTL", "-1", "-1"],
  ["CORS_ORIGINS", "app.example", "app.example"],
  ["LOG_LEVEL", "loud", "loud"],
  ["LOG_FORMAT", "xml", "xml"],
  ["REDIS_URL", "redis://localhost", "REDIS_URL"],
  ["FETCH_RESPECT_ROBOTS", "perhaps", "FETCH_RESPECT_ROBOTS"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318", "OTEL_EXPORTER_OTLP_ENDPOINT"]
]

describe("starting", () => {
  it.live(
    "stops at each unusable value with one line that says which, and code 1",
    () =>
      Effect.forEach(
        sample(unusable),
        ([name, value, says]) =>
          Effect.gen(function* () {
            const { code, signal, stderr, stdout } = yield* runToEnd({ [name]: value })
            expect([code, signal, stdout], `${name}=${value}`).toEqual([1, null, ""])
            expect(stderr.trimEnd().split("\n"), stderr).toHaveLength(1)
            expect(stderr).toContain(name)
            expect(stderr).toContain(says)
            expect(stderr).not.toMatch(/ at .*:\d+:\d+/)
          }),
        { concurrency: 2, discard: true }
      ),
    60_000
  )

  it.live("shows no secret of a value it cannot use", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* runToEnd({ SEARCH_PROXY: "socks4://user:hunter2@proxy:1080" })
      expect(code).toBe(1)
      expect(stderr).toContain("SEARCH_PROXY")
      expect(stderr).not.toMatch(/hunter2/)
    })
  )

  it.live("says in one line that the port is taken", () =>
    Effect.gen(function* () {
      const { port } = yield* start({})
      const { code, stderr } = yield* runToEnd({ PORT: String(port) })
      expect(code).toBe(1)
      expect(stderr).toContain(String(port))
      expect(stderr).not.toMatch(/ at .*:\d+:\d+/)
    }).pipe(Effect.scoped)
  )

  it.live("an empty value is as good as none, and a disabled engine does not exist", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      expect((yield* call("/health")).headers.get("x-ratelimit-limit")).toBe("60")
      const named = yield* search("/api/search/text", { q: "bridges", backend: "mojeek" })
      expect([named.status, (yield* failed(named)).error]).toEqual([422, "Invalid parameters"])
      const { sources } = yield* Effect.flatMap(search("/api/search/text", { q: "bridges" }), found)
      expect(sources.map(({ engine }) => engine).toSorted()).toEqual(["duckduckgo", "wikipedia"])
    }).pipe(Effect.provide(quarry({ APP_ENV: "", SEARCH_TIMEOUT: " ", CORS_ORIGINS: "", LOG_LEVEL: "", ...disabled })))
  )
})
