/**
 * Milliseconds from now that a `Retry-After` asks to wait (RFC 9110, section 10.2.3: seconds, or a date in GMT); null
 * where there is none, or one that names no time to come.
 */
export const retryAfterMs = (header: string | undefined, now: number): number | null => {
  const text = header?.trim() ?? ""
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : /GMT$/i.test(text) ? Date.parse(text) - now : NaN
  return ms > 0 ? ms : null
}
