import { type Region } from "../../../domain/Region.ts"

/**
 * Google locales, for the APIs and pages that use its index.
 * https://developers.google.com/custom-search/docs/json_api_reference
 */

/** Interface language (`hl`); English without a region. */
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

/** Language of the results (`lr`); null without a region, or when Google does not offer the language (Ukrainian). */
export const resultLanguage = (region: Region): string | null => {
  const language = region.language === "pt" ? "pt" : interfaceLanguage(region)
  return region.country !== null && written.has(language) ? `lang_${language}` : null
}

/** Country of the user (`gl`); null without a region. */
export const searcherCountry = ({ country }: Region): string | null => country?.toLowerCase() ?? null
