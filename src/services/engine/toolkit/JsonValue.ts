import { Option, Schema } from "effect"
import { type EngineAnswer, succeeded } from "../Engine.ts"

/** A member that may be missing, null or of another shape than documented: null then, so that the item survives. */
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

/** Text members. */
export const text = member(Schema.String)

const numberOf = (value: unknown): number | null => {
  if (typeof value === "string") return /^\s?-?\d{1,15}(?:\.\d{1,9})?\s?$/.test(value) ? Number(value) : null
  return typeof value === "number" ? value : null
}

/** Numeric members, which some answers put in quotes. */
export const number = Schema.optionalWith(
  Schema.transform(Schema.Unknown, Schema.NullOr(Schema.Number), { decode: numberOf, encode: (value) => value }),
  { default: () => null }
)

/** A list member; elements of another type are left out, no list is an empty one. */
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

/** More than any engine gives on a page. */
const mostItems = 500

/** Items of any shape, 500 at most; each is decoded by itself with `decodeItem`. */
export const items = Schema.transform(anyList, anyList, {
  decode: (list) => list.slice(0, mostItems),
  encode: (list) => list
})

/** The body of a 2xx answer as JSON of a shape; null when it is none. */
export const decodeBody = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownOption(Schema.parseJson(schema))
  return (answer: EngineAnswer): A | null => (succeeded(answer) ? Option.getOrNull(decode(answer.body)) : null)
}

/** One item of a list; null when it is of another shape. */
export const decodeItem = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (item: unknown): A | null => Option.getOrNull(decode(item))
}
