import { Redacted } from "effect"

/** How a key may stand in an answer: as it is, in a URL, in JSON, in HTML. */
const spellings = (key: string): ReadonlyArray<string> => [
  key,
  encodeURIComponent(key),
  JSON.stringify(key).slice(1, -1),
  key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
]

/** The text with every key that some engine echoed put out of sight. */
export const hidden = (text: string, keys: ReadonlyMap<string, Redacted.Redacted>): string =>
  Array.from(keys.values(), Redacted.value)
    .flatMap(spellings)
    .toSorted((one, other) => other.length - one.length)
    .reduce((all, spelling) => all.replaceAll(spelling, "(hidden)"), text)
