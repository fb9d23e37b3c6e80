import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { listen } from "../support/Listening.ts"
import { shortArticle } from "../support/content/pages.ts"
import { npmStart } from "../support/NpmStart.ts"

/** A page that is answered when the test says so. */
const heldPage = Effect.gen(function* () {
  const asked = yield* Deferred.make<ServerResponse>()
  const { port } = yield* listen(
    createServer((_, response) => {
      Deferred.unsafeDone(asked, Effect.succeed(response))
    })
  )
  const release = Effect.map(Deferred.await(asked), (response) => {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(shortArticle)
  })
  return { url: `http://127.0.0.1:${port}/held`, asked: Deferred.await(asked), release }
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

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  for (const [receiver, target] of receivers) {
    it.scopedLive(
      `npm start: ${signal} to ${receiver} lets the running request finish and leaves nothing behind`,
      () =>
        Effect.gen(function* () {
          const page = yield* heldPage
          const { baseUrl, descendants, exit, left, pid } = yield* npmStart({ FETCH_ALLOWED_NETWORKS: "127.0.0.0/8" })
          const path = `/api/content/fetch?url=${encodeURIComponent(page.url)}&timeout=30`
          const running = yield* Effect.fork(
            Effect.promise(async () => {
              const response = await fetch(`${baseUrl}${path}`)
              return { status: response.status, text: await response.text() }
            })
          )
          yield* page.asked
          process.kill(target(pid), signal)
          yield* until(isRefused(baseUrl), (refused) => refused)
          // Both may reach the server: the one that npm passes on, and the one that was sent to it.
          const [server] = descendants.slice(-1)
          process.kill(server?.pid ?? 0, signal)
          yield* page.release
          const answer = yield* Fiber.join(running)
          expect(answer.status).toBe(200)
          expect(JSON.parse(answer.text)).toMatchObject({ success: true, final_url: page.url })
          expect(yield* exit).toEqual({ code: 0, signal: null })
          yield* until(left, (processes) => processes.length === 0)
        }),
      60_000
    )
  }
}
