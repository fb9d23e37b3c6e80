/**
 * Whether `new URL(text, base)` succeeds. Not `URL.canParse`: on Node 20 and 22 its optimized code returns false for
 * strings with characters from U+0080 to U+00FF (V8 fast API call).
 */
export const canParseUrl = (text: string | URL, base?: string | URL): boolean => {
  try {
    return new URL(text, base).href !== ""
  } catch {
    return false
  }
}

/** Longer ones no server takes; a page that has many would swell by them. */
const longestUrl = 8_192

/** The absolute http(s) URL a link means, seen from `base`; null for any other scheme what is no URL, or too long. */
export const webUrl = (link: string | null | undefined, base?: string): string | null => {
  if (link === null || link === undefined) return null
  const trimmed = link.trim()
  if (trimmed === "" || trimmed.length > longestUrl || !canParseUrl(trimmed, base)) return null
  const url = new URL(trimmed, base)
  return (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "" && url.href.length <= longestUrl
    ? url.href
    : null
}
