import { Context, type Effect } from "effect"
import { type ContentFormat, type Metadata } from "../domain/Content.ts"

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
>() {}
