/** How Quarry names itself wherever it does not ask in a person's place: a name, a version, and where to complain. */
export const userAgent = "Quarry/0.1 (+https://github.com/quarry-search/quarry)"
