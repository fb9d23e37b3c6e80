/**
 * Returns the delay of a `Retry-After` in milliseconds from `now` (RFC 9110, section 10.2.3: seconds, or a date in
 * GMT). Returns null when there is none, or it is not in the future.
 */
export const retryAfterMs = (header: string | undefined, now: number): number | null => {
  const text = header?.trim() ?? ""
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : /GMT$/i.test(text) ? Date.parse(text) - now : NaN
  return ms > 0 ? ms : null
}
