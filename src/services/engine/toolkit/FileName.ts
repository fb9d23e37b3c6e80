import { percentDecoded } from "../../../domain/PercentEncoding.ts"
import { canParseUrl } from "../../../domain/WebUrl.ts"

/** The last segment of a URL's path, as a fallback for an image title; null when there is none. */
export const fileNameOf = (link: string): string | null => {
  const absolute = link.trim().replace(/^(?=\/\/)/, "https:")
  if (!canParseUrl(absolute)) return null
  const last = new URL(absolute).pathname.split("/").at(-1) ?? ""
  return last === "" ? null : percentDecoded(last)
}
