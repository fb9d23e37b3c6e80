import { version } from "../../domain/Version.ts"

/** The User-Agent of requests that Quarry sends in its own name: product, version, and a URL for complaints. */
export const userAgent = `Quarry/${version} (+https://github.com/quarry-search/quarry)`
