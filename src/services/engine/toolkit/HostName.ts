import { canParseUrl } from "../../../domain/WebUrl.ts"

/** The host of a URL without `www.`, as a fallback for a source name; null when the URL is invalid. */
export const hostNameOf = (link: string | null): string | null =>
  link !== null && canParseUrl(link) ? new URL(link).hostname.replace(/^www\./, "") : null
