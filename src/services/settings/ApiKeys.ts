/** A client that has a key. */
export interface ApiKey {
  /** Whose budgets it spends; several keys may have one name, while one takes the place of another. */
  readonly name: string
  /** SHA-256 of the key. */
  readonly hash: Uint8Array
}

/** `name:hash`, the hash in 64 hexadecimal digits; null for anything else. */
export const apiKeyOf = (text: string): ApiKey | null => {
  const [, name, hash] = /^([\w.-]{1,64}):([0-9a-f]{64})$/i.exec(text) ?? []
  return name === undefined || hash === undefined ? null : { name, hash: Buffer.from(hash, "hex") }
}
