import { francAll } from "franc-min"
import { type Region } from "../../domain/Region.ts"

/** The scripts a language is written in; Latin where it is not named. */
const scripts: Readonly<Record<string, ReadonlyArray<Script>>> = {
  ar: ["Arabic"],
  bg: ["Cyrillic"],
  el: ["Greek"],
  ja: ["Japanese", "Han"],
  ko: ["Hangul", "Han"],
  ru: ["Cyrillic"],
  uk: ["Cyrillic"],
  zh: ["Han"]
}

type Script = keyof typeof letters

const letters = {
  Latin: /\p{sc=Latin}/gu,
  Cyrillic: /\p{sc=Cyrillic}/gu,
  Greek: /\p{sc=Greek}/gu,
  Arabic: /\p{sc=Arabic}/gu,
  Hebrew: /\p{sc=Hebrew}/gu,
  Thai: /\p{sc=Thai}/gu,
  Devanagari: /\p{sc=Devanagari}/gu,
  Han: /\p{sc=Han}/gu,
  Japanese: /[\p{sc=Hiragana}\p{sc=Katakana}]/gu,
  Hangul: /\p{sc=Hangul}/gu
} as const

const isScript = (name: string): name is Script => Object.hasOwn(letters, name)
const allScripts = Object.keys(letters).filter(isScript)

/** ISO 639-3 of the regions' languages that the library knows. */
const known: Readonly<Record<string, string>> = {
  bg: "bul",
  cs: "ces",
  de: "deu",
  en: "eng",
  es: "spa",
  fr: "fra",
  hr: "hrv",
  hu: "hun",
  it: "ita",
  nl: "nld",
  pl: "pol",
  pt: "por",
  ro: "ron",
  ru: "rus",
  sv: "swe",
  tr: "tur",
  uk: "ukr"
}
const only = Object.values(known)

/** Characters below which a guess of the language within one script is no more than that. */
const enough = 60

/** How near to the likeliest language the region's has to be for doubt; measured on snippets. */
const doubt = 0.85

/** Characters looked at. */
const looked = 400

const scriptsIn = (text: string): ReadonlySet<Script> =>
  new Set(allScripts.filter((name) => text.search(letters[name]) >= 0))

/** The script most of the letters are of; null where there are too few to say. */
const mainScript = (text: string): Script | null => {
  const counts = allScripts.map((name) => ({ name, count: text.match(letters[name])?.length ?? 0 }))
  const [most] = counts.toSorted((one, other) => other.count - one.count)
  return most === undefined || most.count < 4 ? null : most.name
}

/**
 * Whether a text plainly is of another language than a region's: written in a script that neither the language nor the
 * query uses; or long enough to be told, and far from it. English contradicts no query in Latin letters.
 */
export const contradicts =
  (region: Region, query: string) =>
  (text: string): boolean => {
    const shown = text.slice(0, looked)
    const script = mainScript(shown)
    if (region.country === null || script === null) return false
    const wanted = scripts[region.language] ?? ["Latin"]
    if (!wanted.includes(script)) return !scriptsIn(query).has(script)
    const language = known[region.language]
    if (language === undefined || shown.length < enough) return false
    const ranked = francAll(shown, { only })
    const [likeliest] = ranked[0] ?? ["und"]
    if (likeliest === "und" || likeliest === language || likeliest === "eng") return false
    return (ranked.find(([name]) => name === language)?.[1] ?? 0) < doubt
  }
