import { Either } from "effect"
import ipaddr from "ipaddr.js"
import { type PolicyReason } from "../../domain/Failure.ts"
import { addressOf, contains, type Network, networkOf } from "../../domain/Network.ts"
import { hostOf, portOf } from "../http-client/ConnectionTarget.ts"

type Address = ipaddr.IPv4 | ipaddr.IPv6

export interface UrlPolicy {
  /** Address ranges that are always allowed, on any port. They override the rules below. */
  readonly allowedNetworks: ReadonlyArray<Network>
  /** Ports that are allowed for all other addresses. */
  readonly allowedPorts: ReadonlySet<number>
}

/** Addresses at which clouds serve credentials, from their documentation. Not all are in a special-purpose range. */
const metadataAddresses = [
  // AWS, Azure, Google, Oracle, DigitalOcean, OpenStack and many more.
  "169.254.169.254",
  // AWS ECS and EKS.
  ...["169.254.170.2", "169.254.170.23", "fd00:ec2::254", "fd00:ec2::23"],
  // Google over IPv6, Scaleway, Tencent, Alibaba, an older address of Oracle, the host agent of Azure.
  ...["fd20:ce::254", "169.254.42.42", "fd00:42::42", "169.254.0.23", "100.100.100.200", "192.0.0.192", "168.63.129.16"]
].flatMap((text) => networkOf(text) ?? [])

const metadataNames = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "instance-data",
  "instance-data.ec2.internal",
  "rancher-metadata"
])

/** Names of this machine, whatever a resolver returns (RFC 6761, 6.3, and the hosts files of distributions). */
const isLocalhost = (name: string): boolean =>
  /(^|\.)(localhost|localhost\.localdomain|localhost6|localhost6\.localdomain6|ip6-localhost|ip6-loopback)$/.test(name)

const globalUnicast = networkOf("2000::/3")

const ipv4At = (bytes: ReadonlyArray<number>, offset: number, mask = 0): ipaddr.IPv4 =>
  new ipaddr.IPv4(bytes.slice(offset, offset + 4).map((byte) => byte ^ mask))

/** Returns the IPv4 addresses that packets to an IPv6 address reach or pass through. */
const embedded = (address: Address): ReadonlyArray<ipaddr.IPv4> => {
  if (address.kind() === "ipv4") return []
  const bytes = address.toByteArray()
  switch (address.range()) {
    case "ipv4Mapped":
      return [ipv4At(bytes, 12)]
    // RFC 6052, 2.1. The other range of that name (RFC 8215) is for local use within a network.
    case "rfc6052":
      return bytes[4] === 0 && bytes[5] === 0 ? [ipv4At(bytes, 12)] : []
    // RFC 3056, 2.
    case "6to4":
      return [ipv4At(bytes, 2)]
    // RFC 4380, 4: the server, and the client with all bits inverted.
    case "teredo":
      return [ipv4At(bytes, 4), ipv4At(bytes, 12, 0xff)]
    // RFC 5214, 6.1: ISATAP interface identifiers, under any prefix.
    default:
      return (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
        ? [ipv4At(bytes, 12)]
        : []
  }
}

/**
 * Returns whether an address is in no IANA special-purpose registry. An IPv6 address must also be in the allocated
 * block.
 */
const isGlobal = (address: Address): boolean =>
  address.range() === "unicast" &&
  (address.kind() === "ipv4" || (globalUnicast !== null && contains(globalUnicast, address)))

/** Returns whether an IPv6 address embeds an IPv4 address, which then decides. */
const embedsIpv4 = (address: Address): boolean =>
  ["ipv4Mapped", "rfc6052", "6to4", "teredo"].includes(address.range()) && embedded(address).length > 0

const isMetadata = (address: Address): boolean => metadataAddresses.some((network) => contains(network, address))

/**
 * Returns the last four bytes of an address outside of global unicast, which only `FETCH_ALLOWED_NETWORKS` can allow. A
 * translator of that network may read them as an IPv4 address (RFC 6052, 2.2, prefixes of 96 bits). OpenStack writes
 * its metadata service in this way (fe80::a9fe:a9fe).
 */
const lastFour = (address: Address): ReadonlyArray<ipaddr.IPv4> =>
  address.kind() === "ipv4" || isGlobal(address) ? [] : [ipv4At(address.toByteArray(), 12)]

const leadsToMetadata = (address: Address): boolean =>
  [address, ...embedded(address), ...lastFour(address)].some(isMetadata)

/**
 * Returns whether the settings allow an address. A metadata service must be listed by its exact address, even when
 * embedded in another one: a wide range does not include it.
 */
const isExplicitlyAllowed = (address: Address, policy: UrlPolicy): boolean =>
  policy.allowedNetworks.some(
    (network) =>
      contains(network, address) &&
      (!leadsToMetadata(address) || network.prefix === (network.base.kind() === "ipv4" ? 32 : 128))
  )

const refusalOf = (address: Address, port: number, policy: UrlPolicy): PolicyReason | null => {
  if (isExplicitlyAllowed(address, policy)) return null
  if (isMetadata(address)) return "metadata_host"
  const inside = embedded(address)
  const refused = inside.map((each) => refusalOf(each, port, policy)).find((reason) => reason !== null)
  if (refused !== undefined) return refused
  if (!isGlobal(address) && !embedsIpv4(address)) return leadsToMetadata(address) ? "metadata_host" : "private_address"
  return policy.allowedPorts.has(port) ? null : "port"
}

/**
 * Returns why a connection to an address is forbidden; null when it is allowed. `text` comes from a resolver or socket.
 */
export const addressRefusal = (text: string, port: number, policy: UrlPolicy): PolicyReason | null => {
  const address = addressOf(text)
  return address === null ? "private_address" : refusalOf(address, port, policy)
}

const loopback = ["127.0.0.1", "::1"]

const nameRefusal = (name: string, port: number, policy: UrlPolicy): PolicyReason | null => {
  if (metadataNames.has(name)) return "metadata_host"
  if (isLocalhost(name)) {
    const reasons = loopback.map((address) => addressRefusal(address, port, policy))
    return reasons.includes(null) ? null : "private_address"
  }
  return policy.allowedNetworks.length > 0 || policy.allowedPorts.has(port) ? null : "port"
}

/**
 * Checks a URL before its name is resolved. `addressRefusal` checks the address of the connection later. The parser of
 * the URL Standard has normalised the spelling of an address: decimal, octal, hex, short, full-width, percent-encoded,
 * with a trailing dot. Removes the fragment.
 */
export const checkUrl = (text: string, policy: UrlPolicy): Either.Either<URL, PolicyReason> => {
  const parsed = Either.try(() => new URL(text)).pipe(Either.getOrNull)
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) return Either.left("scheme")
  if (parsed.username !== "" || parsed.password !== "") return Either.left("credentials")
  parsed.hash = ""
  const port = portOf(parsed)
  // Port 0 is not usable, and Node would replace it by the default port of the scheme.
  if (port === 0) return Either.left("port")
  const host = hostOf(parsed).replace(/\.+$/, "")
  const reason = addressOf(host) === null ? nameRefusal(host, port, policy) : addressRefusal(host, port, policy)
  return reason === null ? Either.right(parsed) : Either.left(reason)
}
