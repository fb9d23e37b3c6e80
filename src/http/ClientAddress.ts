import { addressOf, contains } from "../domain/Network.ts"
import { type TrustedProxies } from "../services/settings/Settings.ts"

type Address = NonNullable<ReturnType<typeof addressOf>>

/** Parses an entry of `X-Forwarded-For`: an address with an optional port. */
const entryOf = (text: string): Address | null => {
  const trimmed = text.trim().replace(/^"|"$/g, "")
  return addressOf(trimmed.replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")) ?? addressOf(trimmed.replace(/:\d+$/, ""))
}

/**
 * Returns the counting key of an address. An IPv6 host owns a /64, so its key is that prefix. An IPv4-mapped address
 * counts as IPv4 (`addressOf`).
 */
const keyOf = (address: Address): string => {
  if (address.kind() === "ipv4") return address.toString()
  const bytes = address.toByteArray().slice(0, 8)
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

/**
 * Returns the client that a request is counted for (contract, section 4). Reads `X-Forwarded-For` from the right, and
 * only as far as trusted proxies wrote it. Entries left of the first untrusted address may be forged. Returns `local`
 * when there is no remote address.
 */
export const clientOf = (
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies
): string => {
  const peer = remoteAddress === undefined ? null : addressOf(remoteAddress)
  if (peer === null) return "local"
  let client = peer
  let hops = 0
  for (const text of (forwardedFor ?? "").split(",").reverse()) {
    const believed =
      trusted._tag === "Hops" ? hops < trusted.hops : trusted.networks.some((network) => contains(network, client))
    const entry = believed ? entryOf(text) : null
    if (entry === null) break
    client = entry
    hops += 1
  }
  return keyOf(client)
}
