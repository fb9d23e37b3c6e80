import { type Region } from "../../../domain/Region.ts"

/** The locales of Google, for the interfaces to its index. https://developers.google.com/custom-search/docs/json_api_reference */

/** Language of the interface (`hl`); English for no region. */
export const interfaceLanguage = ({ country, language }: Region): string => {
  if (language === "zh") return country === "CN" ? "zh-CN" : "zh-TW"
  if (language === "pt") return country === "BR" ? "pt-BR" : "pt-PT"
  return language === "nb" ? "no" : language
}

const written = new Set(
  "ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv tr zh-CN zh-TW".split(
    " "
  )
)

/** What results have to be written in (`lr`); null for no region, and for a language that is not offered (Ukrainian). */
export const resultLanguage = (region: Region): string | null => {
  const language = region.language === "pt" ? "pt" : interfaceLanguage(region)
  return region.country !== null && written.has(language) ? `lang_${language}` : null
}

/** Where the searcher is (`gl`); null for no region. */
export const searcherCountry = ({ country }: Region): string | null => country?.toLowerCase() ?? null
