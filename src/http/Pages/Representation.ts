import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { brotliCompress, constants, gunzip, gzip, type InputType } from "node:zlib"
import { zlib } from "../Zlib.ts"
import { type ContentEncoding, encodingFor } from "./AcceptEncoding.ts"

/** A stored resource. Only compressed forms are kept, since almost every client accepts one. */
export interface Representation {
  readonly contentType: string
  /** Identifies the bytes in the ETag, and in the `v` parameter of asset URLs. */
  readonly version: string
  readonly br: Uint8Array
  readonly gzip: Uint8Array
}

/** Hashes the gzip form of a file, which both the build and the server have (`build.mjs` does the same). */
export const versionOf = (gzipped: Uint8Array): string =>
  createHash("sha256").update(gzipped).digest("hex").slice(0, 16)

/** Compresses a resource that is only known at run time. Quality 9 takes a hundredth of a second for 100 kB. */
export const compressed = (contentType: string, text: string): Effect.Effect<Representation> => {
  const bytes: InputType = Buffer.from(text)
  return Effect.all({
    br: zlib((callback) => {
      brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }, callback)
    }),
    gzip: zlib((callback) => {
      gzip(bytes, { level: 9 }, callback)
    })
  }).pipe(
    Effect.map((forms) => ({ contentType, version: versionOf(forms.gzip), ...forms })),
    Effect.orDie
  )
}

const bytesIn = (representation: Representation, encoding: ContentEncoding): Effect.Effect<Uint8Array> =>
  encoding === "identity"
    ? zlib((callback) => {
        gunzip(representation.gzip, callback)
      }).pipe(Effect.orDie)
    : Effect.succeed(representation[encoding])

/** Implements `If-None-Match` (RFC 9110, section 13.1.2): weak comparison with a list of tags or `*`. */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag)

/** Answers in the coding that the client prefers, or with 304 when the client already has these bytes. */
export const respond = (
  request: HttpServerRequest.HttpServerRequest,
  representation: Representation,
  headers: Readonly<Record<string, string>>
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.gen(function* () {
    const encoding = encodingFor(request.headers["accept-encoding"])
    const etag = `"${representation.version}-${encoding}"`
    const shared = { ...headers, etag, vary: "Accept-Encoding" }
    if (matches(request.headers["if-none-match"], etag)) {
      return HttpServerResponse.empty({ status: 304, headers: shared })
    }
    return HttpServerResponse.uint8Array(yield* bytesIn(representation, encoding), {
      contentType: representation.contentType,
      headers: encoding === "identity" ? shared : { ...shared, "content-encoding": encoding }
    })
  })
