/** Parsers for numbers in their display format. */

/** Seconds of a duration such as "42:46" or "1:02:05"; null when there is none. */
export const secondsOf = (length: string | null | undefined): number | null => {
  const [, hours = "0", minutes = "0", seconds = "0"] =
    /^(?:(\d{1,4}):)?(\d{1,4}):(\d{2})$/.exec(length?.trim() ?? "") ?? []
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) || null
}

const factors: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, b: 1e9 }

/** Parses a count at the start of an English text: "119.3K views", "65,696,000+ views"; null when there is none. */
export const countOf = (text: string | null | undefined): number | null => {
  const [, digits = "", unit = ""] =
    /^(\d[\d,]{0,20}(?:\.\d{1,3})?)\s?([kmb]?)\+?(?=\s|$)/i.exec(text?.trim() ?? "") ?? []
  return digits === "" ? null : Math.round(Number(digits.replaceAll(",", "")) * (factors[unit.toLowerCase()] ?? 1))
}
