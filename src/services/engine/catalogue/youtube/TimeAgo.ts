import { isoOfText } from "../../../../domain/Dates.ts"

const units = ["second", "minute", "hour", "day", "week", "month", "year"] as const

const bare = (text: string): string => text.normalize("NFC").toLowerCase().replace(/\s+/g, "")

/**
 * Converts "2 hours ago" in `language` ("vor 2 Stunden", "2 時間前") to ISO 8601 in UTC, also within a longer text
 * ("Streamed 2 days ago"). Returns null for any other text. YouTube uses the words of the Unicode CLDR, which the
 * runtime includes.
 */
export const isoOfTimeAgo = (text: string | null, language: string, now: number): string | null => {
  const count = /\d{1,4}/.exec(text?.slice(0, 100) ?? "")?.[0]
  if (text === null || count === undefined) return null
  const words = new Intl.RelativeTimeFormat(language)
  const said = bare(text)
  const unit = units.find((unit) => said.includes(bare(words.format(-Number(count), unit))))
  return unit === undefined ? null : isoOfText(`${count} ${unit}s ago`, now)
}
