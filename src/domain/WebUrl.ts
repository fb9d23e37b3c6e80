/**
 * Whether `new URL(text, base)` succeeds. `URL.canParse` is not used: on Node 20 and 22, its optimized code returns
 * false for strings with characters from U+0080 to U+00FF (V8 fast API call).
 */
export const canParseUrl = (text: string | URL, base?: string | URL): boolean => {
  try {
    return new URL(text, base).href !== ""
  } catch {
    return false
  }
}

/** Maximum code units. No server accepts longer URLs, and a page with many of them would inflate the answer. */
const longestUrl = 8_192

/**
 * Resolves a link against `base` to an absolute http(s) URL. Returns null for another scheme, an invalid URL, or a URL
 * that is too long.
 */
export const webUrl = (link: string | null | undefined, base?: string): string | null => {
  if (link === null || link === undefined) return null
  const trimmed = link.trim()
  if (trimmed === "" || trimmed.length > longestUrl || !canParseUrl(trimmed, base)) return null
  const url = new URL(trimmed, base)
  return (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "" && url.href.length <= longestUrl
    ? url.href
    : null
}
