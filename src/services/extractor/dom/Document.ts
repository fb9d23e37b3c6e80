import { type Metadata } from "../../../domain/Content.ts"
import { type Trimmed } from "../../../domain/Trim.ts"

/** A fetched body, as it came. */
export interface RawDocument {
  /** Where it came from, after redirects: links are resolved against it. */
  readonly url: string
  /** The `Content-Type` header, as it came; null for none. */
  readonly contentType: string | null
  readonly bytes: Uint8Array
  /** The `Content-Encoding` header; empty or left out for none. */
  readonly encoding?: string
}

/** Bytes of a document, as it came and without its encoding. */
export const mostBytes = 10 * 1024 * 1024

/** Which part of the main text is wanted, in code points. */
export interface Piece {
  readonly offset: number
  readonly maxLength: number
}

export const wholeText: Piece = { offset: 0, maxLength: Number.MAX_SAFE_INTEGER }

/** A piece of a document's main text, and what the document says about itself. */
export interface Extracted extends Metadata, Trimmed {
  /** Media type without parameters, lower case. */
  readonly contentType: string
  readonly truncatedInput: boolean
  readonly hiddenText: boolean
}

/** A document of a kind that has no text. */
export interface NoText {
  readonly _tag: "NoText"
  readonly contentType: string
}

/**
 * A document whose text could not be had: `undecodable` where it is broken or encrypted, `too_large` where reading it
 * takes more time or memory than a document may have.
 */
export interface Unreadable {
  readonly _tag: "Unreadable"
  readonly reason: "too_large" | "undecodable"
}

/** A body whose `Content-Encoding` cannot be undone, or gives more than a document may have. */
export interface Undecoded {
  readonly _tag: "Undecoded"
  readonly reason: "too_large" | "truncated" | "undecodable"
}

export type ReadFailure = NoText | Unreadable | Undecoded

/** So many documents wait to be read that another would not have its turn in time. */
export interface Busy {
  readonly _tag: "Busy"
}

export const noText = (contentType: string): NoText => ({ _tag: "NoText", contentType })
export const unreadable = (reason: Unreadable["reason"]): Unreadable => ({ _tag: "Unreadable", reason })
