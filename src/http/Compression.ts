import { HttpBody, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Chunk, Effect, Stream } from "effect"
import { gzip } from "node:zlib"
import { encodingFor } from "./Pages/AcceptEncoding.ts"
import { zlib } from "./Zlib.ts"

/** Bytes of JSON up to which an answer is sent as it is. */
const maxPlainSize = 1024

/** Brotli's smallest useful quality takes as long for 2 % less, so that one coding is enough. */
const offered = ["gzip", "identity"] as const

/** Level 6 takes half as much time again, for 2 % less. */
const gzipped = (bytes: Uint8Array) =>
  zlib((callback) => {
    gzip(bytes, { level: 4 }, callback)
  })

const isJson = (contentType: string | undefined) => /^application\/json\s*(?:;|$)/i.test(contentType ?? "")

/** A door's answer. JSON is read as a whole, to have its size; streams of events and lines pass as they come. */
export const fromMountedApp = (response: Response): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const answer = HttpServerResponse.fromWeb(response)
  const { body } = answer
  if (body._tag !== "Stream" || !isJson(body.contentType)) return Effect.succeed(answer)
  return body.stream.pipe(
    Stream.runCollect,
    Effect.orDie,
    Effect.map((pieces) =>
      HttpServerResponse.setBody(answer, HttpBody.uint8Array(Buffer.concat(Chunk.toArray(pieces)), body.contentType))
    )
  )
}

/**
 * The answer in the coding that the request asks for, where it is JSON of more than 1 KiB. `Vary` is set on all JSON,
 * since a resource's answers have different sizes. An answer whose coding is chosen already stays as it is.
 */
export const compressed = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse,
  compress: (bytes: Uint8Array) => Effect.Effect<Uint8Array, Error> = gzipped
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body, headers } = response
  const isChosen = headers["content-encoding"] !== undefined || /accept-encoding/i.test(headers["vary"] ?? "")
  if (body._tag !== "Uint8Array" || !isJson(headers["content-type"]) || isChosen) return Effect.succeed(response)
  const vary = [headers["vary"], "Accept-Encoding"].filter((name) => name !== undefined).join(", ")
  const plain = HttpServerResponse.setHeader(response, "vary", vary)
  const isLarge = body.body.length > maxPlainSize
  if (!isLarge || encodingFor(request.headers["accept-encoding"], offered) === "identity") return Effect.succeed(plain)
  return compress(body.body).pipe(
    Effect.map((bytes) => HttpServerResponse.setBody(plain, HttpBody.uint8Array(bytes, body.contentType))),
    Effect.map(HttpServerResponse.setHeader("content-encoding", "gzip")),
    Effect.catchAllCause((cause) => Effect.as(Effect.logWarning("an answer could not be compressed", cause), plain))
  )
}
