const decoder = new TextDecoder()

const decoded = (bytes: string): string =>
  decoder.decode(Uint8Array.from(bytes.slice(1).split("%"), (byte) => Number.parseInt(byte, 16)))

/** A text with its percent-encoded bytes read as UTF-8; what is no UTF-8 becomes U+FFFD (WHATWG URL, 1.3). */
export const percentDecoded = (text: string): string => text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => decoded(bytes))
