import { francAll } from "franc-min"
import { type Region } from "../../domain/Region.ts"

/** The scripts of each language. Languages without an entry use Latin. */
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

interface Known {
  /** ISO 639-3. */
  readonly code: string
  /** Common words that similar languages lack. Two of them identify the language without further analysis. */
  readonly words: RegExp
}

const language = (code: string, words: string): Known => ({
  code,
  words: new RegExp(`(?<!\\p{L})(?:${words.replaceAll(" ", "|")})(?!\\p{L})`, "giu")
})

/** The languages of regions that franc supports. */
const known: Readonly<Record<string, Known>> = {
  bg: language("bul", "се със това които която са"),
  cs: language("ces", "jsou pro který jako také nebo při"),
  de: language("deu", "der die und das für mit ist ein eine nicht auf"),
  en: language("eng", "the and of with your this that from"),
  es: language("spa", "el los las una con del como más"),
  fr: language("fra", "le les des et une pour dans sur est avec"),
  hr: language("hrv", "koji kao što ili iz su"),
  hu: language("hun", "az és egy hogy nem is van"),
  it: language("ita", "il di che per gli della con una sono"),
  nl: language("nld", "het een van voor zijn niet ook"),
  pl: language("pol", "się jest nie oraz dla który przez"),
  pt: language("por", "os uma com não são mais pelo em"),
  ro: language("ron", "și este pentru din care sunt cu"),
  ru: language("rus", "что это как его или при"),
  sv: language("swe", "och att det som är för med inte"),
  tr: language("tur", "ve bir için ile bu olarak çok"),
  uk: language("ukr", "що це як та від із або")
}

/** Widespread languages in Latin script that belong to no region: Indonesian, Vietnamese. */
const others = ["ind", "vie"]
const only = [...Object.values(known).map(({ code }) => code), ...others]

/** Main languages of countries whose region is in English. Malay cannot be distinguished from Indonesian. */
const native: Readonly<Record<string, string>> = { ID: "ind", MY: "ind", SG: "ind", VN: "vie" }

/** Minimum characters for language detection within one script. Detection on shorter text is unreliable. */
const minLength = 60

/**
 * Minimum score of the region's language, relative to the likeliest one, to be considered possible. Measured on
 * snippets.
 */
const minRelativeScore = 0.85

/** Number of characters that are analysed. */
const maxLength = 200

const scriptsIn = (text: string): ReadonlySet<Script> =>
  new Set(allScripts.filter((name) => text.search(letters[name]) >= 0))

/** The script of most letters; null when there are too few letters to decide. */
const mainScript = (text: string): Script | null => {
  // Fast path for ASCII, which covers most texts at a tenth of the cost.
  if (/^[\0-\x7f]*$/.test(text)) return /(?:[a-z][^a-z]*){4}/i.test(text) ? "Latin" : null
  const counts = allScripts.map((name) => ({ name, count: text.match(letters[name])?.length ?? 0 }))
  const [most] = counts.toSorted((one, other) => other.count - one.count)
  return most === undefined || most.count < 4 ? null : most.name
}

/**
 * Whether a text is clearly in another language than the region's. This holds when its script is used by neither the
 * language nor the query, or when it is long enough for detection and the region's language scores too low. English
 * never contradicts a query in Latin script.
 */
export const contradicts =
  (region: Region, query: string) =>
  (text: string): boolean => {
    const shown = text.slice(0, maxLength)
    const script = mainScript(shown)
    if (region.country === null || script === null) return false
    const wanted = scripts[region.language] ?? ["Latin"]
    if (!wanted.includes(script)) return !scriptsIn(query).has(script)
    const own = known[region.language]
    if (own === undefined || shown.length < minLength || (shown.match(own.words)?.length ?? 0) > 1) return false
    const ranked = francAll(shown, { only })
    const [likeliest] = ranked[0] ?? ["und"]
    if (["und", "eng", own.code, native[region.country]].includes(likeliest)) return false
    return (ranked.find(([name]) => name === own.code)?.[1] ?? 0) < minRelativeScore
  }
