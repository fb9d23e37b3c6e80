import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { sample } from "../support/Cases.ts"
import { listen } from "../support/Listening.ts"
import { shortArticle } from "../support/content/pages.ts"
import { npmStart } from "../support/NpmStart.ts"

/** How many requests run at the signal. */
const load = 8

/** Pages that are answered when the test says so; `asked` completes when all of them are asked for. */
const heldPages = Effect.gen(function* () {
  const responses: Array<ServerResponse> = []
  const asked = yield* Deferred.make<void>()
  const { port } = yield* listen(
    createServer((_, response) => {
      responses.push(response)
      if (responses.length === load) Deferred.unsafeDone(asked, Effect.void)
    })
  )
  const release = Effect.sync(() => {
    for (const response of responses)
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(shortArticle)
  })
  const urls = Array.from({ length: load }, (_, index) => `http://127.0.0.1:${port}/held/${index}`)
  return { urls, asked: Deferred.await(asked), release }
})

/** Waits until a condition holds; the test's own timeout is the end of it. */
const until = <A>(look: Effect.Effect<A>, holds: (value: A) => boolean) =>
  Effect.repeat(Effect.delay(look, "20 millis"), { until: holds })

const isRefused = (url: string) =>
  Effect.async<boolean>((resume) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => {
      socket.destroy()
      resume(Effect.succeed(false))
    })
    socket.on("error", () => resume(Effect.succeed(true)))
  })

/** Who gets the signal: a supervisor names npm, a terminal its whole group. */
const receivers = [
  ["npm", (pid: number) => pid],
  ["npm's process group", (pid: number) => -pid]
] as const

/** The first two have both signals and both receivers. */
const cases = [
  ["SIGTERM", ...receivers[0]],
  ["SIGINT", ...receivers[1]],
  ["SIGINT", ...receivers[0]],
  ["SIGTERM", ...receivers[1]]
] as const

for (const [signal, receiver, target] of sample(cases, 2)) {
  it.scopedLive(
    `npm start: ${signal} to ${receiver} lets running requests finish and leaves nothing behind`,
    () =>
      Effect.gen(function* () {
        const pages = yield* heldPages
        const { baseUrl, descendants, exit, left, pid } = yield* npmStart({ FETCH_ALLOWED_NETWORKS: "127.0.0.0/8" })
        const fetched = (url: string) =>
          Effect.promise(async () => {
            const response = await fetch(`${baseUrl}/api/content/fetch?url=${encodeURIComponent(url)}&timeout=30`)
            return { status: response.status, text: await response.text() }
          })
        const running = yield* Effect.fork(Effect.forEach(pages.urls, fetched, { concurrency: "unbounded" }))
        yield* pages.asked
        process.kill(target(pid), signal)
        yield* until(isRefused(baseUrl), (refused) => refused)
        // Both may reach the server: the one that npm passes on, and the one that was sent to it.
        const [server] = descendants.slice(-1)
        process.kill(server?.pid ?? 0, signal)
        yield* pages.release
        for (const [index, { status, text }] of (yield* Fiber.join(running)).entries()) {
          expect(status).toBe(200)
          expect(JSON.parse(text)).toMatchObject({ success: true, final_url: pages.urls[index] })
        }
        expect(yield* exit).toEqual({ code: 0, signal: null })
        yield* until(left, (processes) => processes.length === 0)
      }),
    60_000
  )
}
