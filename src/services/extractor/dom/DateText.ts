const isoPattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?/i

/** Rejects placeholder years such as 0001 and 9999, which software writes for an unknown date. */
const isLikely = (year: string): boolean => Number(year) >= 1_000 && Number(year) <= 2_200

/** `Date.parse` accepts 30 February and returns 2 March. */
const isCalendarDay = (date: string): boolean => {
  const time = Date.parse(date)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date)
}

/**
 * Converts a date as pages write it to ISO 8601. Adds neither a time to a day nor a zone to a time. Returns null for
 * other text.
 */
export const isoDate = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim().slice(0, 100) ?? ""
  const match = isoPattern.exec(trimmed)
  if (match !== null) {
    const [, year = "", month = "", day = "", hour, minute = "", second = "00", zone] = match
    const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
    if (!isCalendarDay(date) || !isLikely(year)) return null
    if (hour === undefined) return date
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return date
    const [, zoneHours = "0", zoneMinutes = "0"] = /^[+-](\d{2}):?(\d{2})$/.exec(zone ?? "") ?? []
    if (Number(zoneHours) > 14 || Number(zoneMinutes) > 59) return date
    const offset =
      zone === undefined ? "" : /^[a-z]/i.test(zone) ? "Z" : zone.replace(/^([+-]\d{2}):?(\d{2})$/, "$1:$2")
    return `${date}T${hour.padStart(2, "0")}:${minute}:${second}${offset}`
  }
  if (/^\d{4}(?:-(?:0[1-9]|1[0-2]))?$/.test(trimmed)) return isLikely(trimmed.slice(0, 4)) ? trimmed : null
  if (/^\d{8}(?:T|$)/.test(trimmed))
    return isoDate(`${trimmed.slice(0, 4)}-${trimmed.slice(4, 6)}-${trimmed.slice(6, 8)}`)
  if (!/[a-z]{3}/i.test(trimmed) || !/\d{4}/.test(trimmed)) return null
  const named = trimmed.replace(/(\d)(?:st|nd|rd|th)\b/gi, "$1").replace(/\bat\b/gi, " ")
  const hasTime = /\d:\d{2}/.test(named)
  const time = Date.parse(hasTime ? named : `${named} UTC`)
  if (!Number.isFinite(time)) return null
  const iso = new Date(time).toISOString()
  if (!isLikely(iso.slice(0, 4))) return null
  return hasTime ? (/(?:GMT|UTC|Z|[+-]\d{4})\s*(?:\([^)]*\))?$/.test(named) ? iso : dayOf(named)) : iso.slice(0, 10)
}

/** Returns only the day, because the time has no zone. */
const dayOf = (named: string): string | null => isoDate(named.replace(/,?\s*\d{1,2}:\d{2}.*$/, ""))
