import { createHash, timingSafeEqual } from "node:crypto"
import { type ApiKey } from "../services/settings/ApiKeys.ts"

/**
 * Whose key an `Authorization` header bears (RFC 6750, 2.1); null for none that is known. Every hash is compared, each
 * in constant time, so that the time says nothing of the keys.
 */
export const holderOf = (authorization: string | undefined, keys: ReadonlyArray<ApiKey>): string | null => {
  const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? "") ?? []
  if (token === undefined) return null
  const hash = createHash("sha256").update(token).digest()
  const found = keys.filter((key) => timingSafeEqual(key.hash, hash))
  return found[0]?.name ?? null
}
