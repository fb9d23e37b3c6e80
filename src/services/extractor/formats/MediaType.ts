import { type TextKind } from "../../http-client/Charset.ts"

export type DocumentKind = "html" | "xhtml" | "xml" | "feed" | "json" | "markdown" | "plain" | "pdf" | "none"

/** Maximum length that is read, in characters. No header with several types is longer. */
const longestType = 1_000

/**
 * Returns the media type of a `Content-Type` in lower case, without parameters; "" for none. Of several types, returns
 * the last valid one (Fetch, "extract a MIME type").
 */
export const mediaType = (contentType: string | null): string => {
  const types = (contentType ?? "")
    .slice(0, longestType)
    .split(",")
    .map((part) => part.split(";", 1)[0]?.trim().toLowerCase() ?? "")
  return (
    types.findLast((type) => type !== "*/*" && /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/.test(type)) ??
    types[0] ??
    ""
  )
}

const generic = new Set([
  "",
  "application/octet-stream",
  "binary/octet-stream",
  "text/plain",
  "application/unknown",
  "unknown/unknown",
  "*/*"
])
const textual =
  /^(?:text\/|application\/(?:.*\+)?(?:json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-javascript|sql|x-sh|graphql|rtf-text|x-ndjson|jsonl|ld\+json))/

/** Signatures of binary files, which override a generic or textual media type (WHATWG MIME sniffing, 6). */
const signatures: ReadonlyArray<readonly [string, string]> = [
  ["\u0089PNG", "image/png"],
  ["GIF8", "image/gif"],
  ["\u00ff\u00d8\u00ff", "image/jpeg"],
  ["PK\u0003\u0004", "application/zip"],
  ["\u001f\u008b", "application/gzip"],
  ["Rar!", "application/vnd.rar"],
  ["7z\u00bc\u00af", "application/x-7z-compressed"],
  ["\u00d0\u00cf\u0011\u00e0", "application/x-ole-storage"],
  ["ID3\u0003", "audio/mpeg"],
  ["ID3\u0004", "audio/mpeg"],
  ["OggS\u0000", "application/ogg"],
  ["\u007fELF", "application/octet-stream"],
  ["wOF", "font/woff"],
  ["\u0000asm", "application/wasm"]
]

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")

const isMarked = (head: string) => /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/.test(head)
const isWide = (head: string) => /^(?:[^\0]\0){2}|^(?:\0[^\0]){2}/.test(head)

/**
 * Detects control characters that do not occur in text. Recognises UTF-16 by its byte order mark or alternating zero
 * bytes.
 */
const isBinary = (bytes: Uint8Array): boolean => {
  const head = bytes.subarray(0, 4_096)
  const text = latin1(head.subarray(0, 8))
  if (isMarked(text) || isWide(text)) return false
  let control = 0
  for (const byte of head)
    if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32) || byte === 11) control++
  return control > 0 && control * 50 > head.length
}

const htmlStart =
  /^<(?:!doctype\s+html|html|head|body|title|meta|script|style|link|div|p|h1|table|a|b|br|iframe|font)[\s/>]/i

/** Returns the text after the byte order mark, white space and comments at the start. */
const afterComments = (head: string): string => {
  let text = head.replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)/, "").trimStart()
  while (text.startsWith("<!--")) {
    const end = text.indexOf("-->", 4)
    if (end < 0) return ""
    text = text.slice(end + 3).trimStart()
  }
  return text
}

const ofMarkup = (head: string): DocumentKind => {
  if (/<(?:rss|feed|rdf:RDF)[\s>]/.test(head.slice(0, 3_000))) return "feed"
  return /<html[\s>]/i.test(head.slice(0, 1_500)) ? "xhtml" : "xml"
}

const ofText = (head: string, type: string): DocumentKind => {
  if (htmlStart.test(afterComments(head))) return "html"
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\s/i.test(head)) return ofMarkup(head)
  if (type !== "text/plain" && /^\s*[[{]/.test(head)) return "json"
  return "plain"
}

export interface Sniffed {
  readonly kind: DocumentKind
  /** The media type to report: that of the header, or the detected one when the header is generic or wrong. */
  readonly contentType: string
}

/** Detects the kind of a body by its media type, and by its first bytes when that type is generic or wrong. */
export const sniff = (bytes: Uint8Array, contentType: string | null): Sniffed => {
  const type = mediaType(contentType)
  const head = latin1(bytes.subarray(0, 4_096))
  const named = type === "" ? "application/octet-stream" : type
  const isPdf = type === "application/pdf" || type === "application/x-pdf"
  // Readers skip bytes before the PDF signature (PDF 32000-1, annex H.3), so a declared PDF need not begin with it.
  if (isPdf && htmlStart.test(afterComments(head))) return { kind: "html", contentType: "text/html" }
  if (isPdf || head.startsWith("%PDF-")) return { kind: "pdf", contentType: isPdf ? named : "application/pdf" }
  const signature = signatures.find(([start]) => head.startsWith(start))
  if (signature !== undefined)
    return { kind: "none", contentType: generic.has(type) || textual.test(type) ? signature[1] : named }
  if (isBinary(bytes)) return { kind: "none", contentType: textual.test(type) ? "application/octet-stream" : named }
  if (generic.has(type)) {
    const kind = ofText(head, type)
    const found: Partial<Record<DocumentKind, string>> = {
      html: "text/html",
      xhtml: "application/xhtml+xml",
      xml: "application/xml",
      feed: "application/xml",
      json: "application/json"
    }
    return { kind, contentType: found[kind] ?? "text/plain" }
  }
  if (type === "text/html" || type === "application/xhtml+xml" || type === "application/vnd.wap.xhtml+xml") {
    const isFeed = /^\s*(?:<\?xml[^>]*>\s*)?<(?:rss|feed)[\s>]/i.test(head)
    return { kind: isFeed ? "feed" : type === "text/html" ? "html" : "xhtml", contentType: named }
  }
  if (/^text\/(?:x-)?markdown$/.test(type)) return { kind: "markdown", contentType: named }
  if (/[/+]json$|^application\/(?:x-ndjson|jsonl|json5|geo\+json)$|^text\/json$/.test(type))
    return { kind: "json", contentType: named }
  if (type === "image/svg+xml") return { kind: "none", contentType: named }
  if (/[/+]xml$/.test(type))
    return { kind: /^application\/(?:rss|atom|rdf)\+xml$/.test(type) ? "feed" : ofMarkup(head), contentType: named }
  return { kind: textual.test(type) ? "plain" : "none", contentType: named }
}

/** Returns whether a body of this type is worth downloading for its text. */
export const mayHoldText = (contentType: string | null): boolean => sniff(new Uint8Array(), contentType).kind !== "none"

export const textKind = (kind: DocumentKind): TextKind =>
  kind === "html" || kind === "xhtml" ? "html" : kind === "xml" || kind === "feed" ? "xml" : "text"
