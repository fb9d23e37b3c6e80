/** A configured API key. */
export interface ApiKey {
  /**
   * The client whose budgets are used. Several keys may have one name, such as an old and a new key during a rotation.
   */
  readonly name: string
  /** SHA-256 of the key. */
  readonly hash: Uint8Array
}

/** Parses `name:hash`, with the hash in 64 hexadecimal digits. Returns null for anything else. */
export const apiKeyOf = (text: string): ApiKey | null => {
  const [, name, hash] = /^([\w.-]{1,64}):([0-9a-f]{64})$/i.exec(text) ?? []
  return name === undefined || hash === undefined ? null : { name, hash: Buffer.from(hash, "hex") }
}
