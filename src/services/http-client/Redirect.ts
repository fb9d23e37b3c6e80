import { canParseUrl } from "../../domain/WebUrl.ts"

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

/** Headers arrive byte by byte as Latin-1; some servers put UTF-8 there. */
const asUtf8 = (text: string): string => {
  const decoded = Buffer.from(text, "latin1").toString("utf8")
  return decoded.includes("\u{fffd}") ? text : decoded
}

/** Where a `Location` leads, seen from the URL that answered it (RFC 9110, 10.2.2); null for none that can be read. */
export const targetOf = (location: string | undefined, from: string): string | null => {
  if (location === undefined || location.trim() === "") return null
  const text = asUtf8(location)
  return canParseUrl(text, from) ? new URL(text, from).href : null
}
