import { Effect } from "effect"
import { decompress } from "../../http-client/ContentEncoding.ts"
import { mostBytes, type RawDocument, type Undecoded } from "../dom/Document.ts"

/** A document's bytes without their `Content-Encoding`: `most` of them, 10 MiB unless told otherwise. */
export const plainBytes = (
  { bytes, encoding = "" }: Pick<RawDocument, "bytes" | "encoding">,
  most = mostBytes
): Effect.Effect<Uint8Array, Undecoded> =>
  Effect.mapError(decompress(encoding, bytes, { maxBytes: most, past: "fault" }), ({ reason }) => ({
    _tag: "Undecoded",
    reason
  }))
