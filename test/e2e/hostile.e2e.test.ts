import { expect, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { isSlow, sample } from "../support/Cases.ts"
import { call, search } from "../support/Client.ts"
import { hostilePages } from "../support/content/hostile.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { quarry } from "../support/Quarry.ts"

const minutes = 480_000
const formats = ["text", "markdown", "html"] as const

/** Nothing but what a fetch is allowed to answer: the text or a part of it, or a failure of the contract. */
const outcome = (name: string, format: (typeof formats)[number]) =>
  Effect.gen(function* () {
    const web = yield* ContentWeb
    const answer = yield* search("/api/content/fetch", { url: web.url(`/hostile/${name}`), format, timeout: 30 })
    return { name, format, status: answer.status, body: answer.body }
  })

const expectRead = ({ body, format, name, status }: Effect.Effect.Success<ReturnType<typeof outcome>>): void => {
  const label = `${name} as ${format}`
  if (name === "nul-characters") expect(status, label).toBe(415)
  else if (status === 200) expect(body, label).toMatchObject({ success: true, truncated_input: expect.any(Boolean) })
  // A machine that is too slow for a page within its time says so.
  else expect(body, label).toMatchObject({ details: { reason: "too_large" } })
}

layer(quarry(), { excludeTestServices: true, timeout: minutes })("pages made to stall a reader", (it) => {
  it.effect(
    "are read as far as it goes, and the service is healthy meanwhile",
    () =>
      Effect.gen(function* () {
        const healths = Effect.map(call("/health"), ({ status }) => expect(status).toBe(200))
        const read = Effect.forEach(sample(Object.keys(hostilePages), 2), (name, index) =>
          outcome(name, formats[index % 3] ?? "text")
        )
        const outcomes = yield* Effect.raceFirst(read, Effect.forever(healths))
        outcomes.forEach(expectRead)
      }),
    minutes
  )

  it.effect("say that not all of them was read", () =>
    Effect.gen(function* () {
      for (const name of sample(["fonts-3000", "table-10mb", "nested-divs-10mb", "one-tag-of-attributes"])) {
        const read = yield* outcome(name, "text")
        expectRead(read)
        if (read.status === 200) expect(read.body, name).toMatchObject({ truncated_input: true })
      }
    })
  )

  if (isSlow)
    it.effect("leave the reader of another page alone", () =>
      Effect.gen(function* () {
        const web = yield* ContentWeb
        const floods = yield* Effect.fork(
          Effect.all([outcome("table-10mb", "markdown"), outcome("misnested", "markdown")], { concurrency: 2 })
        )
        const answer = yield* search("/api/content/fetch", { url: web.url("/article") })
        expect(answer.status).toBe(200)
        ;(yield* Fiber.join(floods)).forEach(expectRead)
      })
    )
})
