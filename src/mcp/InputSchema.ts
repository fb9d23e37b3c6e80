import { type JSONObject, type JSONValue } from "@modelcontextprotocol/server"
import { Option, Predicate, type Schema, SchemaAST } from "effect"
import { type Field, fieldsOf } from "../domain/Fields.ts"

/**
 * Keywords of a property that a model needs. Patterns, formats and examples would cost tokens in every conversation.
 */
const kept = ["type", "enum", "minimum", "maximum", "minItems", "maxItems", "default"] as const

/**
 * Short descriptions for models. The longer REST descriptions would cost tokens for every tool that has the argument.
 */
const short: Readonly<Record<string, string>> = {
  query: "Search words.",
  region: "Country-language; wt-wt: any.",
  safesearch: "Adult content filter.",
  timelimit: "Newer than a day, week, month, year.",
  max_results: "Per page.",
  page: "page*max_results: at most 1000.",
  backend: "auto, or engine names with commas.",
  size: "Picture size.",
  color: "Main colour.",
  type_image: "Sort of picture.",
  layout: "Proportions.",
  resolution: "high: HD or better.",
  duration: "short: under 5 min; long: over 20.",
  license_videos: "Licence.",
  max_results_per_type: "Results of each kind.",
  url: "http(s) URL.",
  urls: "1 to 10 http(s) URLs.",
  timeout: "Seconds for a URL.",
  max_length: "Characters of a page at most.",
  format: "Of the text.",
  offset: "Characters to skip, to read on.",
  max_tokens: "Bounds the text."
}

/** Returns the first sentence. The others are for people who read documentation. */
const brief = (description: string): string => description.split(/(?<=\.) /)[0] ?? ""

const isJson = (value: unknown): value is JSONValue =>
  value === null ||
  Predicate.isString(value) ||
  Predicate.isNumber(value) ||
  Predicate.isBoolean(value) ||
  (Array.isArray(value) ? value.every(isJson) : Predicate.isRecord(value) && Object.values(value).every(isJson))

/** Returns the tool argument's name for a parameter of the REST API (contract, section 5). */
export const argumentOf = (parameter: string): string => (parameter === "q" ? "query" : parameter)

const property = ({ ast, name }: Field): JSONObject => {
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
    description: short[argumentOf(name)] ?? brief(String(written["description"]))
  }
}

/** Derives a tool's flat input schema from the Schema of the endpoint's parameters. */
export const inputSchema = (schema: Schema.Schema.AnyNoContext) => {
  const fields = fieldsOf(schema.ast)
  return {
    type: "object" as const,
    properties: Object.fromEntries(fields.map((field) => [argumentOf(field.name), property(field)])),
    required: fields.filter(({ required }) => required).map(({ name }) => argumentOf(name))
  }
}
