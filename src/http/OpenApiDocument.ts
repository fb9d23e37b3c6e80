import { isRecord } from "effect/Predicate"

const rateLimitHeaders = {
  "X-Request-Id": { description: "The request's id: the caller's own, or a fresh one.", schema: { type: "string" } },
  "X-RateLimit-Limit": { description: "Requests per window of this endpoint group.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left in this window.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "Unix seconds at which the window closes.", schema: { type: "integer" } }
}

const retryAfter = {
  "Retry-After": { description: "Whole seconds after which to try again.", schema: { type: "integer" } }
}

type Json = Record<string, unknown>

const mapValues = (record: unknown, change: (value: unknown, key: string) => unknown): Json =>
  isRecord(record) ? Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)])) : {}

/** HttpApi gives every endpoint a 400 of its own; ours are the 422 envelope and, for bodies, the 400 envelope. */
const withoutDecodeError = (schema: unknown): unknown => {
  if (!isRecord(schema) || !Array.isArray(schema["anyOf"])) return isDecodeError(schema) ? null : schema
  const kept = schema["anyOf"].filter((member: unknown) => !isDecodeError(member))
  return kept.length === 1 ? kept[0] : { ...schema, anyOf: kept }
}

const isDecodeError = (schema: unknown): boolean =>
  isRecord(schema) && schema["$ref"] === "#/components/schemas/HttpApiDecodeError"

const response = (value: unknown, status: string): Json | null => {
  if (!isRecord(value)) return null
  const content = mapValues(value["content"], (media) => {
    const schema = isRecord(media) ? withoutDecodeError(media["schema"]) : null
    return schema === null ? null : { schema }
  })
  if (Object.values(content).every((media) => media === null)) return null
  const headers = { ...rateLimitHeaders, ...(status === "429" || status === "503" ? retryAfter : {}) }
  return { ...value, headers, content }
}

const operation = (value: unknown): unknown => {
  if (!isRecord(value)) return value
  const responses = Object.entries(mapValues(value["responses"], response)).filter(([, kept]) => kept !== null)
  const parameters = Array.isArray(value["parameters"]) ? value["parameters"].map(parameter) : []
  return { ...value, parameters, responses: Object.fromEntries(responses) }
}

const parameter = (value: unknown): unknown => {
  if (!isRecord(value) || !isRecord(value["schema"])) return value
  const { examples, ...schema } = value["schema"]
  const example = Array.isArray(examples) ? { example: examples[0] } : {}
  return { ...value, ...example, schema }
}

/** What HttpApi's own document lacks or has too much of. */
export const transform = (document: Json): Json => {
  const components = isRecord(document["components"]) ? document["components"] : {}
  const schemas = isRecord(components["schemas"]) ? components["schemas"] : {}
  const { HttpApiDecodeError: _, Issue: __, PropertyKey: ___, ...kept } = schemas
  return {
    ...document,
    servers: [{ url: "/" }],
    paths: mapValues(document["paths"], (path) => mapValues(path, operation)),
    components: { schemas: kept }
  }
}
