/** The host of a URL without `www.`, for sources that have no other name; null for what is no URL. */
export const hostNameOf = (link: string | null): string | null =>
  link !== null && URL.canParse(link) ? new URL(link).hostname.replace(/^www\./, "") : null
