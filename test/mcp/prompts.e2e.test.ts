import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sample } from "../support/Cases.ts"
import { eras, overHttp, overStdio } from "../support/McpClients.ts"
import { fault, message, post } from "../support/Posted.ts"
import { quarry } from "../support/Quarry.ts"

const transports = [
  ["HTTP", overHttp],
  ["stdio", overStdio]
] as const

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("prompts", (it) => {
  for (const [transport, connect] of sample(transports)) {
    for (const era of sample(eras)) {
      it.scoped(`${era} over ${transport}: are listed with their arguments, and filled in`, () =>
        Effect.gen(function* () {
          const client = yield* connect(era)
          const listed = yield* client.listPrompts
          expect(listed.map(({ name }) => name)).toEqual(["research", "compare_sources", "fact_check"])
          for (const prompt of listed) {
            expect([prompt.title, prompt.description]).toEqual([expect.any(String), expect.any(String)])
            expect(prompt.arguments).toEqual([
              { name: expect.any(String), description: expect.any(String), required: true },
              { name: expect.any(String), description: expect.any(String), required: false }
            ])
          }
          const text = yield* client.getPrompt("fact_check", { claim: "Bridges freeze first.", context: "A sign." })
          expect(text).toContain("Bridges freeze first.")
          expect(text).toContain("A sign.")
          expect(yield* client.getPrompt("research", { topic: "bridges" })).toContain("bridges")
          const compared = yield* client.getPrompt("compare_sources", { question: "why", urls: "https://example.com/" })
          expect(compared).toContain("https://example.com/")
          expect((yield* Effect.flip(client.getPrompt("poem", {}))).code).toBe(-32_602)
          expect((yield* Effect.flip(client.getPrompt("research", { topic: " " }))).code).toBe(-32_602)
        })
      )
    }
  }

  it.effect("name the argument that is missing", () =>
    Effect.gen(function* () {
      const { code, message: said } = yield* fault(yield* post(message("prompts/get", { name: "fact_check" })))
      expect([code, said]).toEqual([-32_602, expect.stringContaining("claim")])
    })
  )

  it.effect("say in their own words which argument is no text", () =>
    Effect.gen(function* () {
      const wrong = [{ topic: { a: 1 } }, { topic: "a", focus: 1 }, { topic: null }, { topic: "a", "\u0007": [] }]
      const said = yield* Effect.forEach([...wrong, null, "topic", ["topic"]], (given) =>
        Effect.flatMap(post(message("prompts/get", { name: "research", arguments: given })), fault)
      )
      expect(said.map(({ code, message: text }) => [code, text])).toEqual([
        [-32_602, 'The argument "topic" of a prompt is a string'],
        [-32_602, 'The argument "focus" of a prompt is a string'],
        [-32_602, 'The argument "topic" of a prompt is a string'],
        [-32_602, 'The argument "\\u0007" of a prompt is a string'],
        [-32_602, "The arguments of a prompt are an object"],
        [-32_602, "The arguments of a prompt are an object"],
        [-32_602, "The arguments of a prompt are an object"]
      ])
    })
  )
})
