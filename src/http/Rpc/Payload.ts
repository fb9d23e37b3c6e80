import { ParseResult, Schema } from "effect"

/** Numbers as query strings write them; everything else as it is. */
const written = (given: object) =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === "number" ? String(value) : value])
  )

/**
 * The parameters of a REST endpoint as JSON carries them: the same rules and messages, but numbers are numbers. Whoever
 * makes one may leave out what has a default.
 */
export const payload = <Fields extends Schema.Struct.Fields, A extends object & Schema.Struct.Type<Fields>, I>(
  struct: Schema.Struct<Fields>,
  query: Schema.Schema<A, I>
) =>
  Object.assign(
    Schema.transformOrFail(Schema.Object, Schema.typeSchema(query), {
      strict: true,
      decode: (given) => ParseResult.decodeUnknown(query, { errors: "all" })(written(given)),
      encode: (typed) => ParseResult.succeed({ ...typed })
    }),
    { fields: struct.fields, make: struct.make }
  )
