import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "../support/Client.ts"
import { Server } from "../support/Server.ts"

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`

/** How each interface says that a body is no JSON that it reads. */
const doors = [
  { path: "/api/content/fetch-multiple", type: "application/json", status: 400, says: "Malformed JSON" },
  { path: "/rpc", type: "application/ndjson", status: 400, says: "Malformed JSON" },
  { path: "/ai/mcp", type: "application/json", status: 400, says: "-32700" }
] as const

layer(Server.layer({ APP_ENV: "development", TRUST_PROXY: "1" }), { excludeTestServices: true, timeout: "30 seconds" })(
  "JSON",
  (it) => {
    it.effect("nested beyond reason is not read, however short", () =>
      Effect.gen(function* () {
        for (const { path, says, status, type } of doors) {
          for (const levels of [65, 10_000, 500_000]) {
            for (const body of [nested(levels), "[".repeat(levels), `{"a":"[","b":${nested(levels)}}`]) {
              const answer = yield* call(path, { body, headers: { "Content-Type": type } })
              expect([answer.status, answer.text], path).toEqual([status, expect.stringContaining(says)])
            }
          }
          const strings = yield* call(path, { body: `"${"[".repeat(1_000)}"`, headers: { "Content-Type": type } })
          expect(strings.text, path).not.toContain(says)
        }
      })
    )
  }
)
