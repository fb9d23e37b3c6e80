import { NodeHttpServerRequest } from "@effect/platform-node"
import { type HttpServerRequest } from "@effect/platform"
import { Effect, ParseResult, Predicate, Schema } from "effect"
import { parseJson } from "../domain/BoundedJson.ts"
import { BatchRequest, contentFormats } from "../domain/Content.ts"
import { InvalidParameters, MalformedJson, PayloadTooLarge, UnsupportedMediaType } from "../domain/Failure.ts"
import { bodyLimit } from "./BodyLimit.ts"
import { bodyProblems } from "./Problems.ts"

/**
 * Reads the bytes of the body. The platform's own limit is not used: it destroys the socket, and the client would see a
 * reset instead of the 413. Excess bytes are discarded for a few seconds (SocketLimits), so that a client that sends
 * its whole body before it reads still gets the response.
 */
export const bytesOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.async<Buffer, PayloadTooLarge>((resume) => {
    const message = NodeHttpServerRequest.toIncomingMessage(request)
    const chunks: Array<Buffer> = []
    let length = 0
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length <= bodyLimit) chunks.push(chunk)
      else finish()
    }
    const finish = () => {
      stop()
      message.resume()
      resume(length > bodyLimit ? new PayloadTooLarge({ limit: bodyLimit }) : Effect.succeed(Buffer.concat(chunks)))
    }
    // The client disconnected while sending. The end of the socket interrupts the request's fiber.
    const onError = () => {
      stop()
    }
    const stop = () => {
      message.off("data", onData).off("end", finish).off("error", onError)
    }
    message.on("data", onData).on("end", finish).on("error", onError)
    return Effect.sync(stop)
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

const jsonOf = (bytes: Uint8Array) =>
  Effect.try({
    try: () => parseJson(utf8.decode(bytes)),
    catch: () => new MalformedJson({ reason: "The body is not valid JSON in UTF-8, of at most 64 levels." })
  })

const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType.trim())

const decode = Schema.decodeUnknown(BatchRequest, { errors: "all" })

/**
 * Decodes the batch request in a body. Fails with UnsupportedMediaType, PayloadTooLarge, MalformedJson or
 * InvalidParameters.
 */
export const batchRequest = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.gen(function* () {
    if (!isJson(request.headers["content-type"])) {
      return yield* new UnsupportedMediaType({ expected: "application/json" })
    }
    const json = yield* Effect.flatMap(bytesOf(request), jsonOf)
    if (!Predicate.isRecord(json)) {
      return yield* new InvalidParameters({ problems: [{ in: "body", field: "", message: "must be a JSON object" }] })
    }
    return yield* decode(json).pipe(
      Effect.mapError((error) => {
        const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
        return new InvalidParameters({ problems: bodyProblems(issues, contentFormats) })
      })
    )
  })
