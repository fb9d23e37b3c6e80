import { canParseUrl } from "../../../domain/WebUrl.ts"

/** The host of a URL without `www.`, for sources that have no other name; null for what is no URL. */
export const hostNameOf = (link: string | null): string | null =>
  link !== null && canParseUrl(link) ? new URL(link).hostname.replace(/^www\./, "") : null
