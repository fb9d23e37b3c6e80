import { Effect } from "effect"
import { decompress } from "../../http-client/ContentEncoding.ts"
import { mostBytes, type RawDocument, type Undecoded } from "../dom/Document.ts"

/** Decodes the `Content-Encoding` of a document. Fails when the result exceeds `most` bytes (default 10 MiB). */
export const plainBytes = (
  { bytes, encoding = "" }: Pick<RawDocument, "bytes" | "encoding">,
  most = mostBytes
): Effect.Effect<Uint8Array, Undecoded> =>
  Effect.mapError(decompress(encoding, bytes, { maxBytes: most, past: "fault" }), ({ reason }) => ({
    _tag: "Undecoded",
    reason
  }))
