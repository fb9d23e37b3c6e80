/** A locale that a search can request. */
export interface Region {
  /** Notation of the `region` parameter (`us-en`); `wt-wt` means no region. */
  readonly code: string
  readonly name: string
  /** ISO 639-1. */
  readonly language: string
  /** ISO 3166-1 alpha-2, upper case; null for no region. */
  readonly country: string | null
}

const rows = [
  ["ar-es", "Argentina", "es-AR"],
  ["au-en", "Australia", "en-AU"],
  ["at-de", "Austria", "de-AT"],
  ["be-fr", "Belgium (fr)", "fr-BE"],
  ["be-nl", "Belgium (nl)", "nl-BE"],
  ["br-pt", "Brazil", "pt-BR"],
  ["bg-bg", "Bulgaria", "bg-BG"],
  ["ca-en", "Canada (en)", "en-CA"],
  ["ca-fr", "Canada (fr)", "fr-CA"],
  ["ct-ca", "Catalonia", "ca-ES"],
  ["cl-es", "Chile", "es-CL"],
  ["cn-zh", "China", "zh-CN"],
  ["co-es", "Colombia", "es-CO"],
  ["hr-hr", "Croatia", "hr-HR"],
  ["cz-cs", "Czech Republic", "cs-CZ"],
  ["dk-da", "Denmark", "da-DK"],
  ["ee-et", "Estonia", "et-EE"],
  ["fi-fi", "Finland", "fi-FI"],
  ["fr-fr", "France", "fr-FR"],
  ["de-de", "Germany", "de-DE"],
  ["gr-el", "Greece", "el-GR"],
  ["hk-tzh", "Hong Kong", "zh-HK"],
  ["hu-hu", "Hungary", "hu-HU"],
  ["is-is", "Iceland", "is-IS"],
  ["in-en", "India (en)", "en-IN"],
  ["id-en", "Indonesia (en)", "en-ID"],
  ["ie-en", "Ireland", "en-IE"],
  ["il-en", "Israel (en)", "en-IL"],
  ["it-it", "Italy", "it-IT"],
  ["jp-jp", "Japan", "ja-JP"],
  ["kr-kr", "Korea", "ko-KR"],
  ["lv-lv", "Latvia", "lv-LV"],
  ["lt-lt", "Lithuania", "lt-LT"],
  ["my-en", "Malaysia (en)", "en-MY"],
  ["mx-es", "Mexico", "es-MX"],
  ["nl-nl", "Netherlands", "nl-NL"],
  ["nz-en", "New Zealand", "en-NZ"],
  ["no-no", "Norway", "nb-NO"],
  ["pk-en", "Pakistan (en)", "en-PK"],
  ["pe-es", "Peru", "es-PE"],
  ["ph-en", "Philippines (en)", "en-PH"],
  ["pl-pl", "Poland", "pl-PL"],
  ["pt-pt", "Portugal", "pt-PT"],
  ["ro-ro", "Romania", "ro-RO"],
  ["ru-ru", "Russia", "ru-RU"],
  ["xa-ar", "Saudi Arabia", "ar-SA"],
  ["sg-en", "Singapore", "en-SG"],
  ["sk-sk", "Slovakia", "sk-SK"],
  ["sl-sl", "Slovenia", "sl-SI"],
  ["za-en", "South Africa", "en-ZA"],
  ["es-ca", "Spain (ca)", "ca-ES"],
  ["es-es", "Spain (es)", "es-ES"],
  ["se-sv", "Sweden", "sv-SE"],
  ["ch-de", "Switzerland (de)", "de-CH"],
  ["ch-fr", "Switzerland (fr)", "fr-CH"],
  ["tw-tzh", "Taiwan", "zh-TW"],
  ["th-en", "Thailand (en)", "en-TH"],
  ["tr-tr", "Turkey", "tr-TR"],
  ["us-en", "US (English)", "en-US"],
  ["us-es", "US (Spanish)", "es-US"],
  ["ua-uk", "Ukraine", "uk-UA"],
  ["uk-en", "United Kingdom", "en-GB"],
  ["vn-en", "Vietnam (en)", "en-VN"]
] as const

/** No region: engines search worldwide, in English when they need a language. */
export const worldwide: Region = { code: "wt-wt", name: "All regions", language: "en", country: null }

/** The documented regions: DuckDuckGo's list of 63, and `wt-wt`. */
export const regions: ReadonlyArray<Region> = [
  ...rows.map(([code, name, tag]): Region => {
    const [language = "en", country = ""] = tag.split("-")
    return { code, name, language, country }
  }),
  worldwide
]

/** Pattern of the parameter (contract, section 2). */
export const regionPattern = /^(?:[a-z]{2}-[a-z]{2,3}|wt-wt)$/i

const countryAliases: Readonly<Record<string, string>> = { uk: "GB", xa: "SA", sl: "SI", ct: "ES" }

/** Default region of a language, for codes whose country is not in the table. */
const defaultRegions: Readonly<Record<string, string>> = {
  en: "us-en",
  es: "es-es",
  fr: "fr-fr",
  de: "de-de",
  pt: "pt-pt",
  nl: "nl-nl",
  zh: "cn-zh",
  ca: "es-ca",
  ar: "xa-ar"
}

/**
 * Returns the region of a well-formed code, in any letter case. A code outside the table gets the nearest locale: its
 * country and language, else the code with its halves swapped, else its country, else its language, else `wt-wt`.
 */
export const regionOf = (code: string): Region => {
  const wanted = code.toLowerCase()
  const [first = "", second = ""] = wanted.split("-")
  const country = countryAliases[first] ?? first.toUpperCase()
  const inCountry = regions.filter((region) => region.country === country)
  return (
    regions.find((region) => region.code === wanted) ??
    inCountry.find((region) => region.language === second) ??
    regions.find((region) => region.code === `${second}-${first}`) ??
    inCountry[0] ??
    regions.find((region) => region.code === defaultRegions[second]) ??
    regions.find((region) => region.language === second) ??
    worldwide
  )
}

/** BCP 47 tag of a region (`en-GB`), or its language alone when it has no country. */
export const languageTag = (region: Region): string =>
  region.country === null ? region.language : `${region.language}-${region.country}`
