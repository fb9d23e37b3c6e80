const decoder = new TextDecoder()

const decoded = (bytes: string): string =>
  decoder.decode(Uint8Array.from(bytes.slice(1).split("%"), (byte) => Number.parseInt(byte, 16)))

/** Decodes percent-encoded bytes as UTF-8. Invalid UTF-8 becomes U+FFFD (WHATWG URL, 1.3). */
export const percentDecoded = (text: string): string => text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => decoded(bytes))
