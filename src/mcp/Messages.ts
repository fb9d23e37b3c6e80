import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type RequestId
} from "@modelcontextprotocol/server"
import { Option, Predicate, Schema } from "effect"
import { notAnObject, type Values } from "./Arguments.ts"

/** Returns the messages of a request body, which holds one message or a batch. */
export const messagesOf = (body: unknown): ReadonlyArray<unknown> => (Array.isArray(body) ? body : [body])

export const isMessage = (message: unknown): boolean =>
  isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)

/** Returns the id of a single request, even when the rest of it is invalid. Returns null for batches and responses. */
export const idOf = (body: unknown): RequestId | null => {
  if (!Predicate.isRecord(body) || "result" in body || "error" in body) return null
  const id = body["id"]
  return Predicate.isString(id) || Predicate.isNumber(id) ? id : null
}

/** Returns the name of the tool that a message calls; null for every other message. */
export const toolOf = (message: unknown): unknown => {
  if (!Predicate.isRecord(message) || message["method"] !== "tools/call") return null
  return Predicate.isRecord(message["params"]) ? message["params"]["name"] : null
}

/** Returns the URI of the resource that a message reads; null for every other message. */
export const resourceOf = (message: unknown): unknown => {
  if (!Predicate.isRecord(message) || message["method"] !== "resources/read") return null
  return Predicate.isRecord(message["params"]) ? message["params"]["uri"] : null
}

/** Whether a request has a progress token. */
export const asksForProgress = (message: unknown): boolean => {
  if (!isJSONRPCRequest(message)) return false
  const token = message.params?._meta?.progressToken
  return Predicate.isString(token) || Predicate.isNumber(token)
}

/**
 * Whether a message is a cancellation or a response. Both are dropped: no message of a batch runs yet that could be
 * cancelled, a cancelled request is never answered, and the server sends no requests to its clients.
 */
export const isIgnored = (message: unknown): boolean =>
  (Predicate.isRecord(message) && message["method"] === "notifications/cancelled") || isJSONRPCResponse(message)

const fromText = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

/** Normalises arguments to an object. Some clients send null, or the object as a JSON string. */
const argumentsOf = (given: unknown): Values => {
  if (given === null || given === undefined) return {}
  const object = Predicate.isString(given) ? Option.getOrNull(fromText(given)) : given
  return Predicate.isRecord(object) ? object : notAnObject
}

const withoutNull = (message: Values): Values => {
  const { params, ...rest } = message
  return params === null ? rest : message
}

/** Corrects known deviations of clients from the protocol. */
export const lenient = (given: unknown): unknown => {
  if (!Predicate.isRecord(given)) return given
  const message = withoutNull(given)
  const params = message["params"]
  if (message["method"] !== "tools/call" || !Predicate.isRecord(params)) return message
  // A server without tasks ignores a call's request for one (2025-11-25, "Tasks").
  const { task: _, ...call } = params
  return { ...message, params: "arguments" in call ? { ...call, arguments: argumentsOf(call["arguments"]) } : call }
}

/** Applies `lenient` to every message of a body. */
export const lenientBody = (body: unknown): unknown => (Array.isArray(body) ? body.map(lenient) : lenient(body))

/**
 * Members of `_meta` that a request of 2026-07-28 has. The SDK treats a request without all three as an older revision.
 */
const envelope = ["protocolVersion", "clientInfo", "clientCapabilities"] as const

const isOfModernEra = ({ _meta }: Values): boolean =>
  Predicate.isRecord(_meta) && envelope.every((name) => `io.modelcontextprotocol/${name}` in _meta)

const promptArgumentsProblem = (given: unknown = {}): string | null => {
  if (!Predicate.isRecord(given)) return "The arguments of a prompt are an object"
  const wrong = Object.keys(given).find((name) => !Predicate.isString(given[name]))
  return wrong === undefined ? null : `The argument ${JSON.stringify(wrong)} of a prompt is a string`
}

/**
 * Returns what is wrong with the parameters of a message where the SDK would answer with internal details; null when
 * nothing is.
 */
export const paramsProblem = (message: unknown): string | null => {
  if (!isJSONRPCRequest(message)) return null
  const { method, params = {} } = message
  switch (method) {
    case "initialize":
      // The method does not exist from 2026-07-28 on; the SDK reports that.
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

/** Batches were removed from the protocol with revision 2025-06-18. A client without the header speaks 2025-03-26. */
export const takesBatches = (revision: string | null): boolean => revision === null || revision < "2025-06-18"
