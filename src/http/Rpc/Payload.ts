import { ParseResult, Predicate, Schema } from "effect"
import { type Given, withDefaults } from "../../domain/Defaults.ts"

/** Numbers as query strings write them; everything else as it is. */
const written = (given: object) =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === "number" ? String(value) : value])
  )

const payload =
  (read: (given: object) => unknown) =>
  <Fields extends Schema.Struct.Fields, A extends object & Schema.Struct.Type<Fields>, I>(
    struct: Schema.Struct<Fields>,
    rules: Schema.Schema<A, I>
  ) => {
    // The compiler checks what a client makes. The rules are the server's to apply: its client is told in a typed error.
    const made = Schema.declare((given): given is object & Schema.Struct.Type<Fields> => Predicate.isRecord(given))
    return Object.assign(
      Schema.transformOrFail(Schema.Object, made, {
        strict: true,
        decode: (given) => ParseResult.decodeUnknown(rules, { errors: "all" })(read(given)),
        encode: (typed) => ParseResult.succeed(typed)
      }),
      {
        fields: struct.fields,
        make: (given: Given<Fields>) => withDefaults(struct, given)
      }
    )
  }

/**
 * The parameters of a REST endpoint as JSON carries them: the same rules and messages, but numbers are numbers. Whoever
 * makes one may leave out what has a default.
 */
export const ofQuery = payload(written)

/** The same for an endpoint that takes JSON. */
export const ofBody = payload((given) => given)
