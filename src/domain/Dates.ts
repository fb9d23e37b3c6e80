import { type TimeLimit } from "./Query.ts"

const day = 86_400_000

/** Unix milliseconds as ISO 8601 UTC; null outside the range of a Date. */
export const isoOfMillis = (millis: number | null | undefined): string | null =>
  millis === null || millis === undefined || !Number.isFinite(millis) || Math.abs(millis) > 8.64e15
    ? null
    : new Date(millis).toISOString()

/** Unix seconds as ISO 8601 UTC. */
export const isoOfSeconds = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : isoOfMillis(seconds * 1000)

/** Days in each time limit, assuming the longest month and year. */
const reach = { d: 1, w: 7, m: 31, y: 366 } as const satisfies Record<TimeLimit, number>

/** Oldest time within a time limit, in Unix milliseconds. */
export const oldestWithin = (limit: TimeLimit, now: number): number => now - reach[limit] * day

const units: ReadonlyArray<readonly [pattern: RegExp, millis: number]> = [
  [/^(?:s|secs?|seconds?)$/, 1_000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, day],
  [/^(?:w|wks?|weeks?)$/, 7 * day]
]

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/** Returns the time `count` calendar months before `now`. The day is limited to the length of the month. */
const monthsBefore = (count: number, now: number): number => {
  const then = new Date(now)
  const monthIndex = then.getUTCFullYear() * 12 + then.getUTCMonth() - count
  const lastDay = new Date(Date.UTC(0, 0, 1)).setUTCFullYear(
    Math.floor(monthIndex / 12),
    (((monthIndex % 12) + 12) % 12) + 1,
    0
  )
  const wanted = new Date(lastDay)
  wanted.setUTCDate(Math.min(then.getUTCDate(), wanted.getUTCDate()))
  return wanted.getTime() + (now - Date.UTC(then.getUTCFullYear(), then.getUTCMonth(), then.getUTCDate()))
}

const relative = (text: string, now: number): number | null => {
  if (/^(?:just now|now|moments ago|today)$/.test(text)) return now
  if (text === "yesterday") return now - day
  const [, count = "", unit = ""] = /^(\d{1,4}|an?|one) ?([a-z]{1,7})(?: ago)?$/.exec(text) ?? []
  const amount = /^\d/.test(count) ? Number(count) : 1
  if (/^(?:mo|mos|months?)$/.test(unit)) return monthsBefore(amount, now)
  if (/^(?:y|yrs?|years?)$/.test(unit)) return monthsBefore(amount * 12, now)
  const known = units.find(([pattern]) => pattern.test(unit))
  return known === undefined ? null : now - amount * known[1]
}

/** Midnight UTC of a date, or null when the date does not exist. `month` starts at 1. */
const calendar = (year: number, month: number, dayOfMonth: number): number | null => {
  const millis = Date.UTC(year, month - 1, dayOfMonth)
  const made = new Date(millis)
  return year >= 1000 && made.getUTCMonth() === month - 1 && made.getUTCDate() === dayOfMonth ? millis : null
}

const monthNumber = (name: string): number => months.indexOf(name.slice(0, 3)) + 1

const absolute = (text: string): number | null => {
  const iso =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?\s?(z|[+-]\d{2}:?\d{2})?)?$/.exec(text)
  if (iso !== null) {
    const [, year, month, dayOfMonth, time, fraction = "", zone = "z"] = iso
    const start = calendar(Number(year), Number(month), Number(dayOfMonth))
    if (start === null || time === undefined) return start
    const offset = zone === "z" ? "Z" : `${zone.slice(0, 3)}:${zone.slice(-2)}`
    const clock = time.length === 5 ? `${time}:00` : time
    const millis = Date.parse(`1970-01-01T${clock}.${fraction.slice(0, 3).padEnd(3, "0")}${offset}`)
    return Number.isNaN(millis) ? null : start + millis
  }
  const named = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})$/.exec(text)
  if (named !== null) return calendar(Number(named[3]), monthNumber(named[1] ?? ""), Number(named[2]))
  const dayFirst = /^(\d{1,2})\.? ([a-z]{3,9})\.?,? (\d{4})$/.exec(text)
  if (dayFirst !== null) return calendar(Number(dayFirst[3]), monthNumber(dayFirst[2] ?? ""), Number(dayFirst[1]))
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  if (dotted !== null) return calendar(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]))
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (slashed !== null) return calendar(Number(slashed[3]), Number(slashed[1]), Number(slashed[2]))
  // RFC 822 as in RSS. Requires a numeric or named zone, so that the local time zone is never used.
  if (/^(?:[a-z]{3}, ?)?\d{1,2} [a-z]{3} \d{2,4} \d{2}:\d{2}(?::\d{2})? (?:[+-]\d{4}|[a-z]{1,4})$/.test(text)) {
    const millis = Date.parse(text)
    return Number.isNaN(millis) ? null : millis
  }
  return null
}

/**
 * Converts a date as engines write it ("5 hours ago", "3d", "Jul 16, 2025 ·", "20.08.2025 —", RFC 822, ISO with or
 * without a zone) to ISO 8601 UTC, or null when it is not a date. Relative dates are resolved against `now` (Unix
 * milliseconds). Dates without a time are midnight UTC. Slashed dates are month first, as in the United States; dotted
 * dates are day first.
 */
export const isoOfText = (text: string | null | undefined, now: number): string | null => {
  if (text === null || text === undefined || text.length > 100) return null
  const bare = text
    .replace(/\s+/g, " ")
    .replace(/^[ ·|—–-]{1,9}/, "")
    .replace(/(?:[ ·|—–-]|\.{2,3}|…){1,9}$/, "")
    .toLowerCase()
  return isoOfMillis(relative(bare, now) ?? absolute(bare))
}
