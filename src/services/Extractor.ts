import { Context, Effect, Layer } from "effect"
import { type ContentFormat, type Metadata } from "../domain/Content.ts"
import { decodeBody } from "./Charset.ts"
import { sniff, textKind } from "./Extractor/MediaType.ts"
import { extractText } from "./Extractor/PlainDocument.ts"

/** A fetched body, undecoded. */
export interface RawDocument {
  /** Where it came from, after redirects: links are resolved against it. */
  readonly url: string
  /** The `Content-Type` header, as it came; null for none. */
  readonly contentType: string | null
  readonly bytes: Uint8Array
}

/** The main text of a document, whole: trimming comes after. */
export interface Extracted extends Metadata {
  /** Media type without parameters, lower case. */
  readonly contentType: string
  /** The main text in the format asked for. */
  readonly content: string
  readonly truncatedInput: boolean
  readonly hiddenText: boolean
}

/** A document of a kind that has no text. */
export interface NoText {
  readonly _tag: "NoText"
  readonly contentType: string
}

/** Turns a fetched document into its main text. */
export class Extractor extends Context.Tag("quarry/Extractor")<
  Extractor,
  { readonly extract: (document: RawDocument, format: ContentFormat) => Effect.Effect<Extracted, NoText> }
>() {
  /** Extracts in this process, on the calling thread. */
  static readonly layer = Layer.succeed(this, {
    extract: Effect.fn("Extractor.extract")(function* (document: RawDocument, format: ContentFormat) {
      const { kind, contentType } = sniff(document.bytes, document.contentType)
      if (kind === "none") return yield* Effect.fail<NoText>({ _tag: "NoText", contentType })
      const source = decodeBody(document.bytes, document.contentType, textKind(kind))
      return { contentType, ...extractText(source, kind, document.url, format) }
    })
  })
}
