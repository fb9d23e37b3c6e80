import { createHash, timingSafeEqual } from "node:crypto"
import { type ApiKey } from "../services/settings/ApiKeys.ts"

/**
 * Returns the name of the key in an `Authorization` header (RFC 6750, 2.1), or null when the key is missing or unknown.
 * Compares every hash, each in constant time, so that timing reveals nothing about the keys.
 */
export const keyNameOf = (authorization: string | undefined, keys: ReadonlyArray<ApiKey>): string | null => {
  const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? "") ?? []
  if (token === undefined) return null
  const hash = createHash("sha256").update(token).digest()
  const found = keys.filter((key) => timingSafeEqual(key.hash, hash))
  return found[0]?.name ?? null
}
