import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { dist } from "../support/build.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { message, toolCall } from "../support/Posted.ts"
import { only, quarry, wiring } from "../support/Quarry.ts"
import { type Environment } from "../support/Server.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

interface Conversation {
  readonly child: ChildProcess
  readonly say: (...lines: ReadonlyArray<string>) => void
  /** Waits for the end of the process. */
  readonly end: Effect.Effect<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>
}

const converse = (environment: Environment = {}): Effect.Effect<Conversation, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [join(dist, "quarry-mcp.js")], { env: { ...environment } })
      const output = { stdout: "", stderr: "" }
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => void (output.stdout += chunk))
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => void (output.stderr += chunk))
      const closed = once(child, "close")
      return {
        child,
        say: (...lines: ReadonlyArray<string>) => void child.stdin.write(lines.map((line) => `${line}\n`).join("")),
        end: Effect.promise(async () => {
          const [code]: ReadonlyArray<unknown> = await closed
          return { code, ...output }
        })
      }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Every line of stdout, which has to be a message of the protocol; answers by id, faults without one apart. */
const read = (stdout: string) => {
  const messages = stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  for (const one of messages) expect(one.jsonrpc).toBe("2.0")
  return {
    byId: new Map(messages.flatMap((one) => (one.id === null ? [] : [[one.id, one]]))),
    codes: messages.flatMap((one) => (one.id === null ? [one.error.code] : []))
  }
}

const json = (...messages: ReadonlyArray<unknown>) => messages.map((one) => JSON.stringify(one))

const initialize = message("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "pipe", version: "1" }
})

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("the stdio server", (it) => {
  it.scoped("writes nothing but messages, however much it logs, and ends when stdin does", () =>
    Effect.gen(function* () {
      const { url } = yield* ContentWeb
      const { child, end, say } = yield* converse({ ...(yield* wiring), LOG_LEVEL: "trace", LOG_FORMAT: "pretty" })
      say(
        ...json(initialize, message("notifications/initialized", {}, null), message("tools/list", {}, 2)),
        ...json(
          message(
            "tools/call",
            { name: "search_everything", arguments: { query: "dune" }, _meta: { progressToken: 3 } },
            3
          ),
          toolCall("fetch_content", { url: url("/article") }, 4)
        ),
        ...json(toolCall("fetch_content", { url: url("/reset") }, 5), toolCall("search_maps", {}, 6)),
        ...json(message("prompts/burn", {}, 7))
      )
      child.stdin?.end()
      const { code, stdout } = yield* end
      const { byId, codes } = read(stdout)
      expect([code, codes]).toEqual([0, []])
      expect(byId.get(1).result.protocolVersion).toBe("2025-11-25")
      expect(byId.get(2).result.tools).toHaveLength(8)
      expect(byId.get(3).result.structuredContent.success).toBe(true)
      const progress = Array.from(stdout.matchAll(/"progress":(\d),"total":5/g), ([, done]) => Number(done))
      expect(progress).toEqual([1, 2, 3, 4, 5])
      expect(stdout.lastIndexOf('"progress"')).toBeLessThan(stdout.indexOf('"id":3}'))
      expect(byId.get(4).result.structuredContent.success).toBe(true)
      expect(byId.get(5).result.isError).toBe(true)
      expect([byId.get(6).error.code, byId.get(7).error.code]).toEqual([-32_602, -32_601])
    })
  )

  it.scoped("answers what still runs when stdin ends", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const { open, opened } = Behaviour.gate()
      yield* web.behaveAll(Behaviour.held(opened, Behaviour.generated(3)))
      const { child, end, say } = yield* converse({ ...(yield* wiring), ...only("openlibrary", "gutendex") })
      say(...json(toolCall("search_books", { query: "a bridge" })))
      child.stdin?.end()
      yield* web.arrived("openlibrary", 1)
      const ended = yield* Effect.fork(end)
      yield* open
      const { code, stdout } = yield* Fiber.join(ended)
      expect([code, read(stdout).byId.get(1).result.structuredContent.results_count]).toEqual([0, 6])
    })
  )
})

describe("a local process", () => {
  it.scopedLive("says what is wrong with a line, and goes on", () =>
    Effect.gen(function* () {
      const { child, end, say } = yield* converse()
      say("{", "", "  ", '{"hello":"world"}', `${json(message("ping", {}, 1))[0]}\r`)
      say(`"${"x".repeat(2_000_000)}"`)
      say("[]", ...json({ ...message("ping", {}, 6), params: [] }, message("initialize", {}, 7)))
      say(...json([message("ping", {}, 2), message("ping", {}, 3), 7], toolCall("search_web", null, 4)))
      // Without a newline at its end.
      child.stdin?.end(json(message("ping", {}, 5))[0])
      const { code, stdout } = yield* end
      const { byId, codes } = read(stdout)
      expect([code, codes]).toEqual([0, [-32_700, -32_600, -32_600, -32_600, -32_600]])
      expect([...byId.keys()].toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
      expect([byId.get(6).error.code, byId.get(7).error.code]).toEqual([-32_600, -32_602])
      expect(JSON.parse(byId.get(4).result.content[0].text).error).toBe("Invalid parameters")
    })
  )

  it.scopedLive("has no limit", () =>
    Effect.gen(function* () {
      const { child, end, say } = yield* converse({ APP_ENV: "production" })
      const ids = Array.from({ length: 200 }, (_, index) => index)
      say(...json(...ids.map((id) => toolCall("search_everything", {}, id))))
      child.stdin?.end()
      const { byId } = read((yield* end).stdout)
      expect(byId.size).toBe(200)
      for (const one of byId.values()) expect(one.result.content[0].text).toContain("Invalid parameters")
    })
  )

  it.scopedLive("ends with code 0 at a signal", () =>
    Effect.gen(function* () {
      const { child, end, say } = yield* converse()
      say(...json(message("ping")))
      yield* Effect.promise(() => once(child.stdout ?? child, "data"))
      child.kill("SIGTERM")
      expect(yield* end).toMatchObject({
        code: 0,
        stdout: `${JSON.stringify({ result: {}, jsonrpc: "2.0", id: 1 })}\n`
      })
    })
  )

  it.scopedLive("ends when nobody reads any more", () =>
    Effect.gen(function* () {
      const { child, end, say } = yield* converse()
      child.stdout?.destroy()
      say(...json(message("tools/list"), message("tools/list", {}, 2)))
      expect((yield* end).code).toBe(0)
    })
  )

  it.scopedLive("stops at settings it cannot use with one line and code 1", () =>
    Effect.gen(function* () {
      const { end } = yield* converse({ SEARCH_TIMEOUT: "soon" })
      const { code, stderr, stdout } = yield* end
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toMatch(/^quarry: SEARCH_TIMEOUT must be .*\n$/)
    })
  )
})
