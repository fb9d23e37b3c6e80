import { assert, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import { vi } from "vitest"
import { logging } from "../../../src/services/logging/Logging.ts"
import { testSettings } from "../../support/Settings.ts"

const forged = '\r\n[12:00:00.000] INFO (#1): all is well\u001b[2K\u001b[31m\u0085\u2028{"level":"INFO"}\u202e'

/** Everything that goes to the console while user text is in every place of a log entry. */
const logged = (format: "json" | "pretty") =>
  Effect.gen(function* () {
    const spies = (["error", "log", "info", "warn", "group"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined)
    )
    const failure = Cause.die(new Error(`defect ${forged}`, { cause: new Error(`its cause ${forged}`) }))
    yield* Effect.logError(`message ${forged}`, new Error(`error ${forged}`), forged, failure).pipe(
      Effect.annotateLogs({ url: `annotation ${forged}`, [`key`]: forged }),
      Effect.withLogSpan("span"),
      Effect.provide(Layer.provide(logging, testSettings({ LOG_FORMAT: format })))
    )
    const calls = spies.map(({ mock }) => mock.calls.map((args) => args.map(String)))
    for (const spy of spies) spy.mockRestore()
    return { errors: calls[0] ?? [], others: calls.slice(1).flat(2) }
  })

it.effect("what somebody sent makes no line of a pretty log, and paints none", () =>
  Effect.gen(function* () {
    const { errors, others } = yield* logged("pretty")
    assert.deepStrictEqual(others, [])
    const texts = errors.flat()
    for (const word of ["message", "error", "defect", "its cause", "annotation"]) {
      assert.isTrue(
        texts.some((text) => text.includes(`${word} \\u{d}`)),
        `${word}: ${texts.join("\n")}`
      )
    }
    for (const text of texts) {
      const [, ...further] = text.split("\n")
      for (const line of further) assert.match(line, /^ {2}\| /)
      assert.notMatch(text.replaceAll("\n", ""), /(?!\u001b\[\d*m)[\p{Cc}\p{Zl}\p{Zp}\u202e]/u)
      assert.notInclude(text, "\u001b[2K")
    }
  })
)

it.effect("nor of one in JSON", () =>
  Effect.gen(function* () {
    const { errors, others } = yield* logged("json")
    assert.deepStrictEqual(others, [])
    assert.lengthOf(errors, 1)
    const [line = ""] = errors.flat()
    assert.notMatch(line, /\p{Cc}/u)
    assert.doesNotThrow(() => JSON.parse(line))
    assert.include(line, "all is well")
  })
)
