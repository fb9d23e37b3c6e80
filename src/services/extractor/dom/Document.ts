import { type Metadata } from "../../../domain/Content.ts"
import { type Trimmed } from "../../../domain/Trim.ts"

/** A fetched body, as received. */
export interface RawDocument {
  /** The address after redirects. Links are resolved against it. */
  readonly url: string
  /** The raw `Content-Type` header, or null when there is none. */
  readonly contentType: string | null
  readonly bytes: Uint8Array
  /** The `Content-Encoding` header. Empty or omitted when there is none. */
  readonly encoding?: string
}

/** Maximum size of a document in bytes, both as received and after its `Content-Encoding` is decoded. */
export const mostBytes = 10 * 1024 * 1024

/** The part of the main text to return, in code points. */
export interface Piece {
  readonly offset: number
  readonly maxLength: number
}

export const wholeText: Piece = { offset: 0, maxLength: Number.MAX_SAFE_INTEGER }

/** A part of a document's main text, and the document's metadata. */
export interface Extracted extends Metadata, Trimmed {
  /** Media type without parameters, lower case. */
  readonly contentType: string
  readonly truncatedInput: boolean
  readonly hiddenText: boolean
}

/** A document of a media type that has no text. */
export interface NoText {
  readonly _tag: "NoText"
  readonly contentType: string
}

/**
 * A document whose text cannot be extracted: `undecodable` when it is broken or encrypted, `too_large` when reading it
 * exceeds the time or memory limit of a document.
 */
export interface Unreadable {
  readonly _tag: "Unreadable"
  readonly reason: "too_large" | "undecodable"
}

/** A body whose `Content-Encoding` cannot be decoded, or that is truncated or larger than `mostBytes`. */
export interface Undecoded {
  readonly _tag: "Undecoded"
  readonly reason: "too_large" | "truncated" | "undecodable"
}

export type ReadFailure = NoText | Unreadable | Undecoded

/** The queue is so long that another document would time out before its turn. */
export interface Busy {
  readonly _tag: "Busy"
}

export const noText = (contentType: string): NoText => ({ _tag: "NoText", contentType })
export const unreadable = (reason: Unreadable["reason"]): Unreadable => ({ _tag: "Unreadable", reason })
