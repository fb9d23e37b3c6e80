import { assert, describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Schema } from "effect"
import { RateLimitExceeded, type RateLimitGroup } from "../../src/domain/Failure.ts"
import { type Values } from "../../src/mcp/Arguments.ts"
import { type Call, callTool } from "../../src/mcp/ToolCall.ts"
import { noReport } from "../../src/mcp/Progress.ts"
import { define, type Tool } from "../../src/mcp/Tool.ts"
import { Caller } from "../../src/services/rate-limiter/Caller.ts"
import { Content } from "../../src/services/content/Content.ts"
import { Engines } from "../../src/services/engine/Engines.ts"
import { Search } from "../../src/services/search/Search.ts"

const tool = (run: (query: { readonly name: string }) => Effect.Effect<{ readonly hello: string }>) =>
  define({
    name: "greet",
    title: "Greet",
    description: "Greets.",
    group: "info",
    parameters: Schema.Struct({ name: Schema.String }),
    answer: Schema.Struct({ hello: Schema.String }),
    run: (_, query) => run(query),
    text: ({ hello }, { name }) => `${hello}, ${name}`
  })

const greeting = tool(({ name }) => Effect.succeed({ hello: name }))

const quiet = { requestId: null, report: noReport }

const nothing = Layer.mergeAll(
  Layer.mock(Search, { backendProblems: () => [] }),
  Layer.mock(Content, {}),
  Layer.mock(Engines, { forKind: () => [], report: Effect.succeed([]) })
)

/** Over services that no test here asks. */
const call = (one: Tool, given: Values, how: Call) =>
  Effect.all({ search: Search, content: Content, engines: Engines }).pipe(
    Effect.provide(nothing),
    Effect.flatMap((backing) => callTool(one, backing, given, how))
  )

const unlimited = Effect.provideService(Caller, Caller.unlimited)

describe("a tool call", () => {
  it.effect("spends its group's budget before anything else", () =>
    Effect.gen(function* () {
      const spent: Array<RateLimitGroup> = []
      const poor: Caller["Type"] = {
        budgets: Effect.succeed([]),
        spend: (group) => {
          spent.push(group)
          return new RateLimitExceeded({ group, limit: 1, window_seconds: 60, retry_after: 7 })
        }
      }
      const never = tool(() => Effect.dieMessage("not to be called"))
      const result = yield* Effect.provideService(call(never, { name: "Ada" }, quiet), Caller, poor)
      assert.deepStrictEqual(spent, ["info"])
      assert.isTrue(result.isError)
      assert.include(JSON.stringify(result.content), "Rate limit exceeded")
    })
  )

  it.effect("answers body and text", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* unlimited(call(greeting, { name: "Ada" }, quiet)), {
        content: [{ type: "text", text: "Ada, Ada" }],
        structuredContent: { hello: "Ada" }
      })
    })
  )

  it.effect("hides a defect behind the request's id", () =>
    Effect.gen(function* () {
      const broken = tool(() => Effect.die(new Error("secret of /etc/quarry")))
      const result = yield* unlimited(call(broken, { name: "Ada" }, { ...quiet, requestId: "request-7" }))
      expect(result).toEqual({
        content: [
          {
            type: "text",
            text: JSON.stringify({
              success: false,
              error: "Internal server error",
              details: { request_id: "request-7" }
            })
          },
          { type: "text", text: expect.stringContaining("Try again once") }
        ],
        isError: true
      })
      const local = yield* unlimited(call(broken, { name: "Ada" }, quiet))
      assert.match(JSON.stringify(local.content), /request_id\\":\\"[0-9a-f]{32}\\"/)
    })
  )

  it.effect("is interrupted, not failed", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        unlimited(
          call(
            tool(() => Effect.interrupt),
            { name: "Ada" },
            quiet
          )
        )
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
    })
  )
})
