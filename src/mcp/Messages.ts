import {
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

/** Of the one request of a body. */
export const idOf = (body: unknown): RequestId | null => (isJSONRPCRequest(body) ? body.id : null)

/** The tool that a message calls; null for every other message. */
export const toolOf = (message: unknown): unknown => {
  if (!Predicate.isRecord(message) || message["method"] !== "tools/call") return null
  return Predicate.isRecord(message["params"]) ? message["params"]["name"] : null
}

const isCancellation = (message: unknown) =>
  Predicate.isRecord(message) && message["method"] === "notifications/cancelled"

const fromText = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

/** Arguments as an object, where a client sent null, or the object as JSON in a string. */
const argumentsOf = (given: unknown): Values => {
  if (given === null || given === undefined) return {}
  const object = Predicate.isString(given) ? Option.getOrNull(fromText(given)) : given
  return Predicate.isRecord(object) ? object : notAnObject
}

/** A message as the protocol has it, where clients are known to write it otherwise. */
export const lenient = (message: unknown): unknown => {
  if (!Predicate.isRecord(message) || message["method"] !== "tools/call") return message
  const params = message["params"]
  return Predicate.isRecord(params) && "arguments" in params
    ? { ...message, params: { ...params, arguments: argumentsOf(params["arguments"]) } }
    : message
}

/** In a batch nothing runs yet that could be cancelled, and a request that is cancelled is never answered. */
export const lenientBody = (body: unknown): unknown =>
  Array.isArray(body) ? body.filter((message) => !isCancellation(message)).map(lenient) : lenient(body)

/** Batches left the protocol with the revision 2025-06-18; without the header, a client speaks 2025-03-26. */
export const takesBatches = (revision: string | null): boolean => revision === null || revision < "2025-06-18"
