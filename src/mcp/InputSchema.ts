import { type JSONObject, type JSONValue } from "@modelcontextprotocol/server"
import { Option, Predicate, type Schema, SchemaAST } from "effect"
import { type Field, fieldsOf } from "../domain/Fields.ts"

/** What a model needs of a property; patterns, formats and examples are paid for in every conversation. */
const kept = ["type", "enum", "minimum", "maximum", "minItems", "maxItems", "default"] as const

/** The first sentence; the ones after it are for people who read documentation. */
const brief = (description: string): string => description.split(/(?<=\.) /)[0] ?? ""

const isJson = (value: unknown): value is JSONValue =>
  value === null ||
  Predicate.isString(value) ||
  Predicate.isNumber(value) ||
  Predicate.isBoolean(value) ||
  (Array.isArray(value) ? value.every(isJson) : Predicate.isRecord(value) && Object.values(value).every(isJson))

/** The name that a tool's argument has for a parameter of the REST API (contract, section 5). */
export const argumentOf = (parameter: string): string => (parameter === "q" ? "query" : parameter)

const property = ({ ast }: Field): JSONObject => {
  const annotated: unknown = Option.getOrNull(SchemaAST.getJSONSchemaAnnotation(ast))
  const written: Readonly<Record<string, unknown>> = Predicate.isRecord(annotated) ? annotated : {}
  const items = written["items"]
  return {
    ...Object.fromEntries(
      kept.flatMap((key) => {
        const value = written[key]
        return isJson(value) ? [[key, value]] : []
      })
    ),
    ...(Predicate.isRecord(items) && isJson(items["type"]) ? { items: { type: items["type"] } } : {}),
    description: brief(String(written["description"]))
  }
}

/** A tool's flat input schema, from the Schema of the endpoint's parameters. */
export const inputSchema = (schema: Schema.Schema.AnyNoContext) => {
  const fields = fieldsOf(schema.ast)
  return {
    type: "object" as const,
    properties: Object.fromEntries(fields.map((field) => [argumentOf(field.name), property(field)])),
    required: fields.filter(({ required }) => required).map(({ name }) => argumentOf(name))
  }
}
