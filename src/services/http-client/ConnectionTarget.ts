export interface Target {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

/** As the URL names it, an address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "")

/** Named, or the scheme's. */
export const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80))
