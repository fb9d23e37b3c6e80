import { Either } from "effect"
import ipaddr from "ipaddr.js"
import { type PolicyReason } from "../../domain/Failure.ts"
import { addressOf, contains, type Network, networkOf } from "../../domain/Network.ts"
import { hostOf, portOf } from "../http-client/ConnectionTarget.ts"

type Address = ipaddr.IPv4 | ipaddr.IPv6

export interface UrlPolicy {
  /** Ranges that may be reached whatever the rules below say, on any port. */
  readonly allowedNetworks: ReadonlyArray<Network>
  /** For everything else. */
  readonly allowedPorts: ReadonlySet<number>
}

/** What clouds serve credentials at, by their documentation. Not all of it is in a special-purpose range. */
const metadataAddresses = [
  // AWS, Azure, Google, Oracle, DigitalOcean, OpenStack and many more.
  "169.254.169.254",
  // AWS ECS and EKS.
  ...["169.254.170.2", "169.254.170.23", "fd00:ec2::254", "fd00:ec2::23"],
  // Google over IPv6, Scaleway, Tencent, Alibaba, Oracle's older one, Azure's host agent.
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

/** Names that mean this machine whatever a resolver says (RFC 6761, 6.3, and the hosts files of distributions). */
const isLocalhost = (name: string): boolean =>
  /(^|\.)(localhost|localhost\.localdomain|localhost6|localhost6\.localdomain6|ip6-localhost|ip6-loopback)$/.test(name)

const globalUnicast = networkOf("2000::/3")

const ipv4At = (bytes: ReadonlyArray<number>, offset: number, mask = 0): ipaddr.IPv4 =>
  new ipaddr.IPv4(bytes.slice(offset, offset + 4).map((byte) => byte ^ mask))

/** The IPv4 addresses that packets to an IPv6 address end up at, or pass through. */
const embedded = (address: Address): ReadonlyArray<ipaddr.IPv4> => {
  if (address.kind() === "ipv4") return []
  const bytes = address.toByteArray()
  switch (address.range()) {
    case "ipv4Mapped":
      return [ipv4At(bytes, 12)]
    // RFC 6052, 2.1. The other range of that name (RFC 8215) is for a network's own use.
    case "rfc6052":
      return bytes[4] === 0 && bytes[5] === 0 ? [ipv4At(bytes, 12)] : []
    // RFC 3056, 2.
    case "6to4":
      return [ipv4At(bytes, 2)]
    // RFC 4380, 4: the server, and the client with every bit flipped.
    case "teredo":
      return [ipv4At(bytes, 4), ipv4At(bytes, 12, 0xff)]
    // RFC 5214, 6.1: interface identifiers of ISATAP, under any prefix.
    default:
      return (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
        ? [ipv4At(bytes, 12)]
        : []
  }
}

/** In none of the IANA special-purpose registries, and for IPv6 in the one block that is handed out. */
const isGlobal = (address: Address): boolean =>
  address.range() === "unicast" &&
  (address.kind() === "ipv4" || (globalUnicast !== null && contains(globalUnicast, address)))

/** An IPv4 address in the clothes of IPv6: what is inside decides. */
const isWrapped = (address: Address): boolean =>
  ["ipv4Mapped", "rfc6052", "6to4", "teredo"].includes(address.range()) && embedded(address).length > 0

const isMetadata = (address: Address): boolean => metadataAddresses.some((network) => contains(network, address))

/**
 * Of an address outside of global unicast, where only `FETCH_ALLOWED_NETWORKS` leads: what a translator of that network
 * may take out of it (RFC 6052, 2.2, prefixes of 96 bits), and how OpenStack writes its service (fe80::a9fe:a9fe).
 */
const lastFour = (address: Address): ReadonlyArray<ipaddr.IPv4> =>
  address.kind() === "ipv4" || isGlobal(address) ? [] : [ipv4At(address.toByteArray(), 12)]

const leadsToMetadata = (address: Address): boolean =>
  [address, ...embedded(address), ...lastFour(address)].some(isMetadata)

/** A metadata service is only opened by its very address: no wide range means it, in whatever clothes it comes. */
const isOpened = (address: Address, policy: UrlPolicy): boolean =>
  policy.allowedNetworks.some(
    (network) =>
      contains(network, address) &&
      (!leadsToMetadata(address) || network.prefix === (network.base.kind() === "ipv4" ? 32 : 128))
  )

const refusalOf = (address: Address, port: number, policy: UrlPolicy): PolicyReason | null => {
  if (isOpened(address, policy)) return null
  if (isMetadata(address)) return "metadata_host"
  const inside = embedded(address)
  const refused = inside.map((each) => refusalOf(each, port, policy)).find((reason) => reason !== null)
  if (refused !== undefined) return refused
  if (!isGlobal(address) && !isWrapped(address)) return leadsToMetadata(address) ? "metadata_host" : "private_address"
  return policy.allowedPorts.has(port) ? null : "port"
}

/** Why an address, as a resolver or a socket spells it, must not be connected to; null if it may. */
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
 * A URL that may be asked for, as far as that can be told before its name is looked up: the address that is connected
 * to is judged again, by `addressRefusal`. The URL Standard's parser has reduced the spellings of an address by then:
 * decimal, octal, hex, short, full-width, percent-encoded, with a dot at the end. The fragment is gone.
 */
export const checkUrl = (text: string, policy: UrlPolicy): Either.Either<URL, PolicyReason> => {
  const parsed = Either.try(() => new URL(text)).pipe(Either.getOrNull)
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) return Either.left("scheme")
  if (parsed.username !== "" || parsed.password !== "") return Either.left("credentials")
  parsed.hash = ""
  const port = portOf(parsed)
  // Nobody listens there, and Node takes it for the scheme's own.
  if (port === 0) return Either.left("port")
  const host = hostOf(parsed).replace(/\.+$/, "")
  const reason = addressOf(host) === null ? nameRefusal(host, port, policy) : addressRefusal(host, port, policy)
  return reason === null ? Either.right(parsed) : Either.left(reason)
}
