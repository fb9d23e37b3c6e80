import { expect, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { dist } from "../support/build.ts"
import { sample } from "../support/Cases.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { eras, overHttp, overStdio } from "../support/McpClients.ts"
import { message, post, toolCall } from "../support/Posted.ts"
import { only, quarry, wiring } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

/** Waits until every request that an engine got is over: answered, or its socket closed. */
const allOver = Effect.flatMap(TestWeb, (web) =>
  Effect.flatMap(web.requests(), (asked) => Effect.forEach(asked, ({ over }) => over))
)

const hanging = Effect.gen(function* () {
  const web = yield* TestWeb
  yield* web.forget
  yield* web.behaveAll(Behaviour.hang)
  return web
})

/** Few enough to be asked all at once. */
const asked = ["wikipedia", "mojeek", "openverse", "youtube", "googlenews", "openlibrary"] as const

const patient = { SEARCH_TIMEOUT: "60", ...only(...asked) }

layer(quarry(patient), { excludeTestServices: true, timeout: "30 seconds" })("a client", (it) => {
  it.effect("whose socket closes is not searched for any longer", () =>
    Effect.gen(function* () {
      const web = yield* hanging
      const leaving = yield* Effect.fork(post(toolCall("search_everything", { query: "a bridge to nobody" })))
      yield* Effect.forEach(asked, (engine) => web.arrived(engine, 1), { concurrency: "unbounded" })
      yield* Fiber.interrupt(leaving)
      yield* allOver
    })
  )

  it.effect("whose socket closes in the newer revision neither", () =>
    Effect.gen(function* () {
      const web = yield* hanging
      const client = yield* overHttp("2.x, 2026-07-28")
      const leaving = yield* Effect.fork(client.callTool("search_books", { query: "another bridge to nobody" }))
      yield* web.arrived("openlibrary", 1)
      yield* Fiber.interrupt(leaving)
      yield* allOver
    }).pipe(Effect.scoped)
  )

  it.effect("whose socket closes is not fetched for any longer", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const urls = [web.url("/hang"), web.url("/hang?again")]
      const leaving = yield* Effect.fork(post([toolCall("fetch_multiple_contents", { urls, timeout: 30 })]))
      yield* web.arrived("/hang", 2)
      yield* Fiber.interrupt(leaving)
      yield* Effect.forEach(yield* web.visits("/hang"), ({ over }) => over)
    })
  )

  for (const era of sample(eras)) {
    it.scoped(`that cancels over stdio (${era}) is not searched for any longer`, () =>
      Effect.gen(function* () {
        const web = yield* hanging
        const client = yield* overStdio(era, patient)
        const leaving = yield* Effect.fork(client.callTool("search_books", { query: "a third bridge" }))
        yield* web.arrived("openlibrary", 1)
        yield* Fiber.interrupt(leaving)
        yield* allOver
        // The conversation goes on.
        expect((yield* client.callTool("search_books", {})).isError).toBe(true)
      })
    )
  }

  it.effect("whose process is told to end takes its searches along", () =>
    Effect.gen(function* () {
      const web = yield* hanging
      const env = { ...(yield* wiring), ...patient }
      const child = spawn(process.execPath, [join(dist, "quarry-mcp.js")], { env, stdio: ["pipe", "ignore", "ignore"] })
      const ended = Effect.async<unknown>((resume) => {
        child.once("exit", (code, signal) => resume(Effect.succeed([code, signal])))
      })
      child.stdin.write(
        `${JSON.stringify(message("ping"))}\n${JSON.stringify(toolCall("search_books", { query: "b" }))}\n`
      )
      yield* web.arrived("openlibrary", 1)
      const waiting = yield* Effect.fork(ended)
      yield* Effect.yieldNow()
      child.kill("SIGTERM")
      expect(yield* Fiber.join(waiting)).toEqual([0, null])
      yield* allOver
    })
  )
})
