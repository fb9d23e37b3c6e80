/** The absolute http(s) URL a link means, seen from `base`; null for any other scheme and for what is no URL. */
export const webUrl = (link: string | null | undefined, base?: string): string | null => {
  if (link === null || link === undefined) return null
  const trimmed = link.trim()
  if (trimmed === "" || !URL.canParse(trimmed, base)) return null
  const url = new URL(trimmed, base)
  return (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "" ? url.href : null
}
