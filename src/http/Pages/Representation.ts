import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { brotliCompress, constants, gunzip, gzip, type InputType } from "node:zlib"
import { zlib } from "../Zlib.ts"
import { type ContentEncoding, encodingFor } from "./AcceptEncoding.ts"

/** A resource as it is kept: compressed only, since hardly any client asks for more. */
export interface Representation {
  readonly contentType: string
  /** Names these bytes: in the ETag, and in the `v` of the URLs that pages load. */
  readonly version: string
  readonly br: Uint8Array
  readonly gzip: Uint8Array
}

/** Names a file by its gzip form, which the build and the server have both (`build.mjs` does the same). */
export const versionOf = (gzipped: Uint8Array): string =>
  createHash("sha256").update(gzipped).digest("hex").slice(0, 16)

/** Compresses what is only known to the running server; quality 9 is a hundredth of a second for 100 kB. */
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

/** RFC 9110, section 13.1.2: weak comparison, one of a list or `*`. */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag)

/** Answers with the coding that the client likes best, or 304 when it has these bytes. */
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
