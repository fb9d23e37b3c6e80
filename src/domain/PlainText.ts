/** Control characters, and zero-width, bidi-control and other invisible characters. */

const invisible =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ue000\ue001]/g

/**
 * Normalises a text to one plain line: NFC, white space collapsed, invisible characters removed. Lone surrogates become
 * U+FFFD.
 */
export const plainLine = (text: string): string =>
  text.toWellFormed().normalize("NFC").replace(invisible, "").replace(/\s+/g, " ").trim()

/** Same as `plainLine`, but null for an empty line: members of items are null, never "". */
export const plainLineOrNull = (text: string | null | undefined): string | null => {
  if (text === null || text === undefined) return null
  const line = plainLine(text)
  return line === "" ? null : line
}
