import { addressOf, contains } from "../domain/Network.ts"
import { type TrustedProxies } from "../services/settings/Settings.ts"

type Address = NonNullable<ReturnType<typeof addressOf>>

/** An entry of `X-Forwarded-For`: an address, perhaps with a port. */
const entryOf = (text: string): Address | null => {
  const trimmed = text.trim().replace(/^"|"$/g, "")
  return addressOf(trimmed.replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")) ?? addressOf(trimmed.replace(/:\d+$/, ""))
}

/** IPv6 hosts own a /64; an IPv4-mapped address is the IPv4 one. */
const keyOf = (address: Address): string => {
  if (address.kind() === "ipv4") return address.toString()
  const bytes = address.toByteArray().slice(0, 8)
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

/**
 * Who a request is counted for (contract, section 4). `X-Forwarded-For` is read from the right, and only as far as
 * trusted proxies wrote it: what stands left of the first address that is not trusted may be forged.
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
