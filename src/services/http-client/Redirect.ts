import { canParseUrl } from "../../domain/WebUrl.ts"

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

/** Decodes a header as UTF-8 if it is valid. Node decodes headers as Latin-1, but some servers send UTF-8. */
const asUtf8 = (text: string): string => {
  const decoded = Buffer.from(text, "latin1").toString("utf8")
  return decoded.includes("\u{fffd}") ? text : decoded
}

/**
 * Resolves a `Location` against the URL of its response (RFC 9110, 10.2.2). Returns null when it is missing or invalid.
 */
export const targetOf = (location: string | undefined, from: string): string | null => {
  if (location === undefined || location.trim() === "") return null
  const text = asUtf8(location)
  return canParseUrl(text, from) ? new URL(text, from).href : null
}
