import { Option, Schema } from "effect"
import { type EngineAnswer, succeeded } from "../Engine.ts"

/** A member that may be missing, null or of an undocumented type. It decodes to null then, so that the item is kept. */
export const member = <A, I>(schema: Schema.Schema<A, I>) => {
  const isMember = Schema.is(schema)
  return Schema.optionalWith(
    Schema.transform(Schema.Unknown, Schema.NullOr(Schema.typeSchema(schema)), {
      decode: (value) => (isMember(value) ? value : null),
      encode: (value) => value
    }),
    { default: () => null }
  )
}

export const text = member(Schema.String)

const numberOf = (value: unknown): number | null => {
  if (typeof value === "string") return /^\s?-?\d{1,15}(?:\.\d{1,9})?\s?$/.test(value) ? Number(value) : null
  return typeof value === "number" ? value : null
}

/** A numeric member. Some answers send numbers as strings. */
export const number = Schema.optionalWith(
  Schema.transform(Schema.Unknown, Schema.NullOr(Schema.Number), { decode: numberOf, encode: (value) => value }),
  { default: () => null }
)

/** A list member. Elements of another type are dropped; a value that is not a list decodes to an empty list. */
export const list = <A, I>(schema: Schema.Schema<A, I>) => {
  const isElement = Schema.is(schema)
  return Schema.optionalWith(
    Schema.transform(Schema.Unknown, Schema.Array(Schema.typeSchema(schema)), {
      decode: (value) => (Array.isArray(value) ? value.filter(isElement) : []),
      encode: (value) => value
    }),
    { default: (): ReadonlyArray<A> => [] }
  )
}

const anyList = Schema.declare((value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value))

/** More than any engine returns on a page. */
const mostItems = 500

/** A list of items of any shape, cut at 500. Each item is decoded separately with `decodeItem`. */
export const items = Schema.transform(anyList, anyList, {
  decode: (list) => list.slice(0, mostItems),
  encode: (list) => list
})

/** Decodes the body of a 2xx answer as JSON; null for another status, or when it does not match the schema. */
export const decodeBody = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownOption(Schema.parseJson(schema))
  return (answer: EngineAnswer): A | null => (succeeded(answer) ? Option.getOrNull(decode(answer.body)) : null)
}

/** Decodes one item of a list; null when it does not match the schema. */
export const decodeItem = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (item: unknown): A | null => Option.getOrNull(decode(item))
}
