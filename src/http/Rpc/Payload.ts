import { ParseResult, Predicate, Schema } from "effect"
import { type Given, withDefaults } from "../../domain/Defaults.ts"

/** Writes numbers as query strings do and keeps other values unchanged. */
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
    // The compiler checks payloads on the client, so the client applies no rules. The server applies them and fails
    // with a typed error.
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
 * Payload Schema of a REST endpoint with query parameters. It has the same rules and messages, but numbers are JSON
 * numbers. Members with defaults are optional in `make`.
 */
export const ofQuery = payload(written)

/** Payload Schema of a REST endpoint that takes JSON. */
export const ofBody = payload((given) => given)
