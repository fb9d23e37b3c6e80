import ipaddr from "ipaddr.js"

/** A range of addresses, IPv4 or IPv6. */
export interface Network {
  readonly base: ipaddr.IPv4 | ipaddr.IPv6
  readonly prefix: number
}

/** Parses a network (`10.0.0.0/8`, `fd00::/8`) or a single address; null for anything else. */
export const networkOf = (text: string): Network | null => {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) {
    const [base, prefix] = ipaddr.parseCIDR(text)
    return { base, prefix }
  }
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return { base: ipaddr.IPv4.parse(text), prefix: 32 }
  if (ipaddr.IPv6.isValid(text)) return { base: ipaddr.IPv6.parse(text), prefix: 128 }
  return null
}

/**
 * Parses an address as a socket reports it; null for anything else. Drops the zone and converts an IPv4-mapped address
 * to IPv4.
 */
export const addressOf = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | null => {
  const bare = text.replace(/%.*$/s, "")
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null
}

export const contains = (network: Network, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  network.base.kind() === address.kind() && address.match(network.base, network.prefix)
