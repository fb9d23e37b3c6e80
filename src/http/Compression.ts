import { HttpBody, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Chunk, Effect, Stream } from "effect"
import { gzip } from "node:zlib"
import { encodingFor } from "./Pages/AcceptEncoding.ts"
import { zlib } from "./Zlib.ts"

/** Largest JSON body, in bytes, that is sent uncompressed. */
const maxPlainSize = 1024

/** Brotli is not offered: its lowest useful quality takes as long as gzip and saves only 2 %. */
const offered = ["gzip", "identity"] as const

/** Level 6 takes half as much time again and saves only 2 %. */
const gzipped = (bytes: Uint8Array) =>
  zlib((callback) => {
    gzip(bytes, { level: 4 }, callback)
  })

const isJson = (contentType: string | undefined) => /^application\/json\s*(?:;|$)/i.test(contentType ?? "")

/**
 * Converts the response of a mounted app. Reads JSON as a whole to know its size. Passes streams of events and lines
 * through without buffering.
 */
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
 * Compresses a JSON response of more than 1 KiB with a coding that the request accepts. Sets `Vary` on all JSON, since
 * responses of one resource differ in size. Leaves a response unchanged when its coding is already chosen.
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
