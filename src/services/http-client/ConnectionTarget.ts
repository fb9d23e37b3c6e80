export interface Target {
  /** A host name, or an IP address without brackets. */
  readonly host: string
  readonly port: number
}

/** Returns the host of a URL; an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "")

/** Returns the port of a URL, or the default port of its scheme. */
export const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80))
