import { isAscii, isUtf8 } from "node:buffer"
import { Either } from "effect"
import iconv from "iconv-lite"
import { detect } from "jschardet"

export type TextKind = "html" | "xml" | "text"

/** Far more than the 1024 bytes of the HTML standard: for a later `meta`, browsers restart the parser. */
const prescanBytes = 16_384
const sampleBytes = 32_768

/** Encodings that the detector may return: the legacy encodings in actual use on the web. */
const detectable = [
  ...["windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256"],
  ...["windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-7", "koi8-r", "koi8-u"],
  ...["shift_jis", "cp932", "euc-jp", "iso-2022-jp", "gb18030", "big5", "euc-kr", "cp949"]
]

/** Detector names that are not WHATWG labels. */
const aliases = new Map([
  ["cp932", "shift_jis"],
  ["cp949", "euc-kr"],
  ["cp874", "windows-874"],
  ["utf8mb4", "utf-8"]
])

/**
 * Returns the lower-case name of the encoding for a label (WHATWG Encoding, 4.2). Returns null for an unknown label,
 * and for one that the standard maps to `replacement`.
 */
export const encodingOf = (label: string | null | undefined): string | null => {
  const name = label?.trim().toLowerCase() ?? ""
  if (name === "") return null
  if (name === "iso-8859-16") return name
  if (name === "x-user-defined") return "windows-1252"
  return Either.try(() => new TextDecoder(aliases.get(name) ?? name).encoding).pipe(Either.getOrNull)
}

/**
 * Encodings that iconv-lite does not support, or decodes with outdated tables (without the euro sign). The TextDecoder
 * of Node 20 decodes these correctly, but not windows-1252.
 */
const byNode = new Set(["iso-2022-jp", "macintosh", "x-mac-cyrillic"])

const decodeAs = (bytes: Uint8Array, encoding: string): string =>
  byNode.has(encoding) ? new TextDecoder(encoding).decode(bytes) : iconv.decode(bytes, encoding)

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")

const byteOrderMark = (bytes: Uint8Array): string | null => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null
}

const attribute = /[\s/]*([^\s"'>/=][^\s>/=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>][^\s>]*))?/y
const charsetIn = /charset\s*=\s*["']?\s*([^\s"';,]+)/i

/** Maximum length that is read, in characters. No media type with its parameters is longer. */
const longestType = 512

/** Returns the encoding named in a `Content-Type`; null when there is none or it is unknown. */
export const charsetParameter = (contentType: string | null): string | null =>
  encodingOf(contentType === null ? null : charsetIn.exec(contentType.slice(0, longestType))?.[1])

const attributesAt = (head: string, position: number): Map<string, string> => {
  const attributes = new Map<string, string>()
  attribute.lastIndex = position
  for (let match = attribute.exec(head); match !== null; match = attribute.exec(head)) {
    const name = (match[1] ?? "").toLowerCase()
    if (!attributes.has(name)) attributes.set(name, (match[2] ?? "").replace(/^(["'])(.*)\1$/s, "$2"))
  }
  return attributes
}

const metaCharset = (attributes: ReadonlyMap<string, string>): string | null => {
  const named = encodingOf(attributes.get("charset"))
  if (named !== null) return named
  return attributes.get("http-equiv")?.trim().toLowerCase() === "content-type"
    ? charsetParameter(attributes.get("content") ?? null)
    : null
}

/**
 * Implements "prescan a byte stream to determine its encoding" (HTML, 13.2.3.2). Skips comments, and reads UTF-16 as
 * UTF-8.
 */
const declaredInMeta = (head: string): string | null => {
  const opening = /<!--|<meta[\s/]/gi
  for (let match = opening.exec(head); match !== null; match = opening.exec(head)) {
    if (match[0] === "<!--") {
      const end = head.indexOf("-->", match.index + 2)
      if (end < 0) return null
      opening.lastIndex = end + 3
      continue
    }
    const encoding = metaCharset(attributesAt(head, match.index + 5))
    if (encoding !== null) return encoding.startsWith("utf-16") ? "utf-8" : encoding
  }
  return null
}

const declaredInXml = (head: string): string | null => {
  if (!/^\s*<\?xml\s/i.test(head)) return null
  const declaration = head.slice(0, Math.max(0, head.indexOf("?>")))
  const encoding = encodingOf(/\sencoding\s*=\s*["']([^"'<>]+)/i.exec(declaration)?.[1])
  return encoding?.startsWith("utf-16") === true ? "utf-8" : encoding
}

/** Detects UTF-16 without a byte order mark by the zero bytes of its first characters. */
const looksLikeUtf16 = (bytes: Uint8Array): string | null => {
  if (bytes.length < 4) return null
  if (bytes[0] !== 0 && bytes[1] === 0 && bytes[2] !== 0 && bytes[3] === 0) return "utf-16le"
  return bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0 && bytes[3] !== 0 ? "utf-16be" : null
}

const declared = (bytes: Uint8Array, contentType: string | null, kind: TextKind): string | null => {
  const header = charsetParameter(contentType)
  if (header !== null || kind === "text") return header
  const head = latin1(bytes.subarray(0, prescanBytes))
  return kind === "html" ? (declaredInMeta(head) ?? declaredInXml(head)) : declaredInXml(head)
}

const firstHighByte = (bytes: Uint8Array): number => bytes.findIndex((byte) => byte >= 0x80)

/**
 * Detects the encoding of a sample that starts shortly before the first byte outside of ASCII. A long head of markup
 * has no information about the encoding.
 */
const detected = (bytes: Uint8Array): string => {
  const start = Math.max(0, firstHighByte(bytes) - 256)
  const sample = bytes.subarray(start, start + sampleBytes)
  const found = Either.try(() => detect(sample, { detectEncodings: detectable })).pipe(Either.getOrNull)
  return (found === null || found.confidence < 0.01 ? null : encodingOf(found.encoding)) ?? "windows-1252"
}

/**
 * Decodes UTF-8 with a few broken sequences, as in pages that cut strings by bytes. Returns null for another encoding.
 */
const mostlyUtf8 = (bytes: Uint8Array): string | null => {
  const text = iconv.decode(bytes, "utf-8")
  let broken = 0
  let whole = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === 0xfffd) broken++
    else if (unit >= 0x80) whole++
  }
  return broken * 8 <= whole ? text : null
}

const highBytes = (bytes: Uint8Array, enough: number): boolean => {
  let count = 0
  for (const byte of bytes) if (byte >= 0x80 && ++count >= enough) return true
  return false
}

/**
 * Returns whether the bytes are UTF-8 despite their label. Under a Latin label, valid UTF-8 is no coincidence. Under
 * other labels it can be one while the text is short.
 */
const isReallyUtf8 = (bytes: Uint8Array, label: string): boolean =>
  isUtf8(bytes) &&
  (/^(windows-125[02478]|iso-8859|macintosh)/.test(label) ||
    (label.startsWith("utf-16") && !bytes.includes(0)) ||
    highBytes(bytes, 24))

/**
 * Decodes a fetched body. Order: byte order mark, `Content-Type`, `meta` or XML declaration, valid UTF-8, detection,
 * windows-1252. Ignores a label that the bytes contradict. Never throws.
 */
export const decodeBody = (bytes: Uint8Array, contentType: string | null, kind: TextKind): string => {
  const mark = byteOrderMark(bytes)
  if (mark !== null) return decodeAs(bytes, mark)
  const label = declared(bytes, contentType, kind)
  if (label === "iso-2022-jp" || (label?.startsWith("utf-16") === true && !isReallyUtf8(bytes, label)))
    return decodeAs(bytes, label)
  const utf16 = looksLikeUtf16(bytes)
  if (utf16 !== null) return decodeAs(bytes, utf16)
  if (isAscii(bytes)) return label === null && bytes.includes(0x1b) ? decodeAs(bytes, detected(bytes)) : latin1(bytes)
  if (label === null || label === "utf-8") return mostlyUtf8(bytes) ?? decodeAs(bytes, detected(bytes))
  return decodeAs(bytes, isReallyUtf8(bytes, label) ? "utf-8" : label)
}
