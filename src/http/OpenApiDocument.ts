import { isRecord } from "effect/Predicate"
import { answerExamples, bodyExamples } from "./OpenApi/AnswerExamples.ts"
import { errorExample } from "./OpenApi/ErrorExamples.ts"
import { headers, headersOf } from "./OpenApi/Headers.ts"

type Json = Record<string, unknown>

const mapValues = (record: unknown, change: (value: unknown, key: string) => unknown): Json =>
  isRecord(record) ? Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)])) : {}

/**
 * HttpApi adds its own 400 to every endpoint. Quarry answers with the 422 envelope and, for bodies, the 400 envelope.
 */
const withoutDecodeError = (schema: unknown): unknown => {
  if (!isRecord(schema) || !Array.isArray(schema["anyOf"])) return isDecodeError(schema) ? null : schema
  const kept = schema["anyOf"].filter((member: unknown) => !isDecodeError(member))
  return kept.length === 1 ? kept[0] : { ...schema, anyOf: kept }
}

const isDecodeError = (schema: unknown): boolean =>
  isRecord(schema) && schema["$ref"] === "#/components/schemas/HttpApiDecodeError"

const example = (value: unknown): Json => (value === undefined ? {} : { example: value })

/** Names of the components that a schema refers to: one, or the members of a union, the endpoint's own first. */
const referred = (schema: unknown): ReadonlyArray<string> => {
  if (!isRecord(schema)) return []
  if (Array.isArray(schema["anyOf"])) return schema["anyOf"].flatMap(referred).toReversed()
  return [String(schema["$ref"]).replace("#/components/schemas/", "")]
}

/** HttpApi describes a status by its first failure only. Joins the descriptions of all of them. */
const descriptionOfAll = (content: Json, schemas: Json): Json => {
  const [names = []] = Object.values(content).map((media) => referred(isRecord(media) ? media["schema"] : null))
  if (names.length < 2) return {}
  const descriptions = names.flatMap((name) => (isRecord(schemas[name]) ? [String(schemas[name]["description"])] : []))
  return { description: descriptions.join(" Or: ") }
}

const response = (operationId: string, schemas: Json) => (value: unknown, status: string) => {
  if (!isRecord(value)) return null
  const content = mapValues(value["content"], (media) => {
    const schema = isRecord(media) ? withoutDecodeError(media["schema"]) : null
    if (schema === null) return null
    return {
      schema,
      ...example(status === "200" ? answerExamples[operationId] : errorExample(operationId, referred(schema)[0] ?? ""))
    }
  })
  if (Object.values(content).every((media) => media === null)) return null
  // HttpApi's description of a 400 belongs to the decode error, which is removed.
  const description = status === "400" ? { description: "The body is not JSON." } : {}
  return {
    ...value,
    ...description,
    ...descriptionOfAll(content, schemas),
    headers: headersOf(operationId, status),
    content
  }
}

/** Gives every parameter an example: its own, else the first member of its enum, else its default. */
const parameter = (value: unknown): unknown => {
  if (!isRecord(value) || !isRecord(value["schema"])) return value
  const { description: _, examples, ...schema } = value["schema"]
  const [first] = [examples, schema["enum"]].flatMap((list): ReadonlyArray<unknown> =>
    Array.isArray(list) ? list : []
  )
  return { ...value, schema, ...example(first ?? schema["default"]) }
}

/** Unknown members of a body are ignored, so the document does not forbid them. */
const requestBody = (operationId: string, body: Json): Json => ({
  ...body,
  content: mapValues(body["content"], (media) => {
    if (!isRecord(media) || !isRecord(media["schema"])) return media
    const { additionalProperties: _, ...schema } = media["schema"]
    return { ...media, schema, ...example(bodyExamples[operationId]) }
  })
})

const operation =
  (schemas: Json) =>
  (value: unknown): unknown => {
    if (!isRecord(value)) return value
    const id = String(value["operationId"])
    const responses = Object.entries(mapValues(value["responses"], response(id, schemas))).filter(
      ([, kept]) => kept !== null
    )
    const parameters = Array.isArray(value["parameters"]) ? value["parameters"].map(parameter) : []
    const body = isRecord(value["requestBody"]) ? { requestBody: requestBody(id, value["requestBody"]) } : {}
    return { ...value, parameters, ...body, responses: Object.fromEntries(responses) }
  }

/** The document is the same for servers with and without API keys. */
const securitySchemes = {
  key: {
    type: "http",
    scheme: "bearer",
    description:
      "Where the server was given keys (`API_KEYS`), everything under `/api/` wants one; else none is needed."
  }
}

/** Paths outside `/api/` never require a key, so they have neither a scheme nor a 401. */
const secured =
  (path: string) =>
  (value: unknown): unknown => {
    if (!isRecord(value) || !isRecord(value["responses"])) return value
    if (path.startsWith("/api/")) return { ...value, security: [{}, { key: [] }] }
    const { 401: _, ...responses } = value["responses"]
    return { ...value, security: [], responses }
  }

/** Annotations of Effect's own Schemas that add nothing to `type` and `minimum`. */
const selfDescriptions: ReadonlyMap<string, ReadonlyArray<unknown>> = new Map([
  ["title", ["int", "nonNegative", "unknown"]],
  ["description", ["an integer", "a non-negative number"]],
  ["$id", ["/schemas/unknown"]]
])

const withoutSelfDescriptions = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSelfDescriptions)
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([key, member]) => selfDescriptions.get(key)?.includes(member) !== true)
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutSelfDescriptions(member)]))
}

/**
 * Completes HttpApi's document with examples, headers, servers and security. Removes its decode errors and redundant
 * annotations.
 */
export const transform = (document: Json): Json => {
  const components = isRecord(document["components"]) ? document["components"] : {}
  const schemas = isRecord(components["schemas"]) ? components["schemas"] : {}
  const { HttpApiDecodeError: _, Issue: __, PropertyKey: ___, ...kept } = schemas
  return {
    ...document,
    servers: [{ url: "/", description: "This server." }],
    paths: mapValues(withoutSelfDescriptions(document["paths"]), (methods, path) =>
      mapValues(mapValues(methods, operation(schemas)), secured(path))
    ),
    components: { securitySchemes, schemas: mapValues(kept, withoutSelfDescriptions), headers }
  }
}
