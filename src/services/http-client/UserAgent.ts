import { version } from "../../domain/Version.ts"

/** How Quarry names itself wherever it does not ask in a person's place: a name, a version, and where to complain. */
export const userAgent = `Quarry/${version} (+https://github.com/quarry-search/quarry)`
