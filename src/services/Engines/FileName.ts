/** The last part of a URL's path, for pictures that have no other name; null when it has none. */
export const fileNameOf = (link: string): string | null => {
  if (!URL.canParse(link)) return null
  const last = new URL(link).pathname.split("/").at(-1) ?? ""
  return last === "" ? null : last.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => decoded(bytes))
}

const decoder = new TextDecoder()

const decoded = (percentEncoded: string): string =>
  decoder.decode(Uint8Array.from(percentEncoded.slice(1).split("%"), (byte) => Number.parseInt(byte, 16)))
