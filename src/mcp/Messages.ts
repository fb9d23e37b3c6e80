import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type RequestId
} from "@modelcontextprotocol/server"
import { Option, Predicate, Schema } from "effect"
import { notAnObject, type Values } from "./Arguments.ts"

/** A request body holds one message, or a batch of them. */
export const messagesOf = (body: unknown): ReadonlyArray<unknown> => (Array.isArray(body) ? body : [body])

export const isMessage = (message: unknown): boolean =>
  isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)

/** Of the one request of a body, however wrong the rest of it is. */
export const idOf = (body: unknown): RequestId | null => {
  if (!Predicate.isRecord(body) || "result" in body || "error" in body) return null
  const id = body["id"]
  return Predicate.isString(id) || Predicate.isNumber(id) ? id : null
}

/** The tool that a message calls; null for every other message. */
export const toolOf = (message: unknown): unknown => {
  if (!Predicate.isRecord(message) || message["method"] !== "tools/call") return null
  return Predicate.isRecord(message["params"]) ? message["params"]["name"] : null
}

/** The resource that a message reads; null for every other message. */
export const resourceOf = (message: unknown): unknown => {
  if (!Predicate.isRecord(message) || message["method"] !== "resources/read") return null
  return Predicate.isRecord(message["params"]) ? message["params"]["uri"] : null
}

/** Whether a message wants to hear how far it is. */
export const asksForProgress = (message: unknown): boolean => {
  if (!isJSONRPCRequest(message)) return false
  const token = message.params?._meta?.progressToken
  return Predicate.isString(token) || Predicate.isNumber(token)
}

/**
 * Cancellations and responses. Nothing runs in a batch yet that could be cancelled, and a request that is cancelled is
 * never answered; the server asks its clients nothing.
 */
export const isForNobody = (message: unknown): boolean =>
  (Predicate.isRecord(message) && message["method"] === "notifications/cancelled") || isJSONRPCResponse(message)

const fromText = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

/** Arguments as an object, where a client sent null, or the object as JSON in a string. */
const argumentsOf = (given: unknown): Values => {
  if (given === null || given === undefined) return {}
  const object = Predicate.isString(given) ? Option.getOrNull(fromText(given)) : given
  return Predicate.isRecord(object) ? object : notAnObject
}

const withoutNull = (message: Values): Values => {
  const { params, ...rest } = message
  return params === null ? rest : message
}

/** A message as the protocol has it, where clients are known to write it otherwise. */
export const lenient = (given: unknown): unknown => {
  if (!Predicate.isRecord(given)) return given
  const message = withoutNull(given)
  const params = message["params"]
  if (message["method"] !== "tools/call" || !Predicate.isRecord(params)) return message
  // Who has no tasks takes a call that asks for one as if it did not (2025-11-25, "Tasks").
  const { task: _, ...call } = params
  return { ...message, params: "arguments" in call ? { ...call, arguments: argumentsOf(call["arguments"]) } : call }
}

/** A body of such messages. */
export const lenientBody = (body: unknown): unknown => (Array.isArray(body) ? body.map(lenient) : lenient(body))

/** A request of 2026-07-28 says all three; the SDK takes one that says less for an older one. */
const envelope = ["protocolVersion", "clientInfo", "clientCapabilities"] as const

const isOfModernEra = ({ _meta }: Values): boolean =>
  Predicate.isRecord(_meta) && envelope.every((name) => `io.modelcontextprotocol/${name}` in _meta)

const promptArgumentsProblem = (given: unknown = {}): string | null => {
  if (!Predicate.isRecord(given)) return "The arguments of a prompt are an object"
  const wrong = Object.keys(given).find((name) => !Predicate.isString(given[name]))
  return wrong === undefined ? null : `The argument ${JSON.stringify(wrong)} of a prompt is a string`
}

/** What is wrong with the parameters of a message where the SDK would answer with its own internals. */
export const paramsProblem = (message: unknown): string | null => {
  if (!isJSONRPCRequest(message)) return null
  const { method, params = {} } = message
  switch (method) {
    case "initialize":
      // From 2026-07-28 on there is no such method, which the SDK says.
      return isInitializeRequest(message) || isOfModernEra(params)
        ? null
        : "initialize needs protocolVersion, capabilities and clientInfo (with name and version) in its params"
    case "tools/call":
      return Predicate.isString(params["name"]) ? null : "tools/call needs the name of a tool in its params"
    case "resources/read":
      return Predicate.isString(params["uri"]) ? null : "resources/read needs the uri of a resource in its params"
    case "prompts/get":
      return Predicate.isString(params["name"])
        ? promptArgumentsProblem(params["arguments"])
        : "prompts/get needs the name of a prompt in its params"
    case "tools/list":
    case "prompts/list":
    case "resources/list":
    case "resources/templates/list":
      return params["cursor"] === undefined || Predicate.isString(params["cursor"]) ? null : "A cursor is a string"
    default:
      return null
  }
}

/** Batches left the protocol with the revision 2025-06-18; without the header, a client speaks 2025-03-26. */
export const takesBatches = (revision: string | null): boolean => revision === null || revision < "2025-06-18"
