import { type JSONObject, type JSONValue } from "@modelcontextprotocol/server"
import { Predicate, type Schema, SchemaAST } from "effect"

const anything: JSONObject = {}

const isSame = (one: JSONObject, other: JSONObject) => JSON.stringify(one) === JSON.stringify(other)

type Properties = ReadonlyArray<readonly [name: string, shape: JSONObject]>

const isObject = (value: JSONValue | undefined): value is JSONObject => Predicate.isRecord(value)

const propertiesOf = ({ properties }: JSONObject): Properties =>
  isObject(properties)
    ? Object.entries(properties).flatMap(([name, shape]) => (isObject(shape) ? [[name, shape] as const] : []))
    : []

const object = (properties: Properties, required: Array<string>): JSONObject => {
  const [[, first] = ["", anything]] = properties
  const isUniform = properties.length > 2 && properties.every(([, shape]) => isSame(shape, first))
  return {
    type: "object",
    ...(isUniform ? { additionalProperties: first } : { properties: Object.fromEntries(properties) }),
    required
  }
}

const requiredOf = ({ required }: JSONObject): ReadonlyArray<JSONValue> => (Array.isArray(required) ? required : [])

/** Merges objects into the members that all of them require. Readers of an item check its `type` anyway. */
const inCommon = (objects: ReadonlyArray<JSONObject>): JSONObject => {
  const [first = [], ...others] = objects.map((one) =>
    propertiesOf(one).filter(([name]) => requiredOf(one).includes(name))
  )
  const shared = first.flatMap(([name, shape]) => {
    const shapes = others.flatMap((other) => other.flatMap(([key, value]) => (key === name ? [value] : [])))
    return shapes.length === others.length ? [[name, either([shape, ...shapes])] as const] : []
  })
  return object(
    shared,
    shared.map(([name]) => name)
  )
}

const anyOf = (shapes: ReadonlyArray<JSONObject>): JSONObject => {
  const [first = anything] = shapes
  const { type } = first
  if (shapes.every((shape) => isSame(shape, first))) return first
  if (shapes.every((shape) => "properties" in shape)) return inCommon(shapes)
  const words = shapes.map((shape) => (shape["type"] === type && Array.isArray(shape["enum"]) ? shape["enum"] : []))
  return type === undefined || words.some(({ length }) => length === 0) ? anything : { type, enum: words.flat() }
}

/** Merges several shapes into one: `type` accepts a list, and so does `enum`. */
const either = (shapes: ReadonlyArray<JSONObject>): JSONObject => {
  const some = shapes.filter(({ type }) => type !== "null")
  const { enum: _, ...merged } = anyOf(some)
  if (some.length === shapes.length) return anyOf(some)
  return merged["type"] === undefined ? anything : { ...merged, type: [merged["type"], "null"] }
}

/** Longest union of literals that is written as an enum. Longer ones are not worth their tokens. */
const mostWords = 5

const shapeOf = (ast: SchemaAST.AST): JSONObject => {
  switch (ast._tag) {
    case "StringKeyword":
      return { type: "string" }
    case "NumberKeyword":
      return { type: "number" }
    case "BooleanKeyword":
      return { type: "boolean" }
    case "Literal":
      if (ast.literal === null) return { type: "null" }
      return typeof ast.literal === "bigint" ? anything : { type: typeof ast.literal, enum: [ast.literal] }
    case "Refinement":
      return shapeOf(ast.from)
    case "Union":
      return ast.types.length > mostWords && ast.types.every(SchemaAST.isLiteral)
        ? { type: "string" }
        : either(ast.types.map(shapeOf))
    case "TupleType":
      return { type: "array", items: ast.rest[0] === undefined ? anything : shapeOf(ast.rest[0].type) }
    case "TypeLiteral":
      return object(
        ast.propertySignatures.map(({ name, type }) => [String(name), shapeOf(type)]),
        // A member of unknown type may be undefined, which JSON omits, so it is not required.
        ast.propertySignatures
          .filter(({ isOptional, type }) => !isOptional && !SchemaAST.isUnknownKeyword(type))
          .map(({ name }) => String(name))
      )
    default:
      return anything
  }
}

/**
 * Derives a compact JSON Schema of an answer: names and types, without descriptions, long enums or union
 * discriminators. It accepts everything that the Schema accepts.
 */
export const outputSchema = (schema: Schema.Schema.AnyNoContext) => ({
  ...shapeOf(SchemaAST.encodedAST(schema.ast)),
  type: "object" as const
})
