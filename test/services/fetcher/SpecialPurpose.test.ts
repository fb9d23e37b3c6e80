import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import ipaddr from "ipaddr.js"
import { addressRefusal, type UrlPolicy } from "../../../src/services/fetcher/UrlPolicy.ts"

const strict: UrlPolicy = { allowedNetworks: [], allowedPorts: new Set([443]) }

/** The IANA IPv4 Special-Purpose Address Registry, with multicast (RFC 5771), which has a registry of its own. */
const ipv4 = [
  ...["0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.0.0/29", "192.0.0.8/32", "192.0.0.9/32", "192.0.0.10/32", "192.0.0.170/32"],
  ...["192.0.0.171/32", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.88.99.2/32"],
  ...["192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4"],
  ...["255.255.255.255/32", "224.0.0.0/4"]
]

/** The IANA IPv6 Special-Purpose Address Registry, with multicast and what was site-local (RFC 3879). */
const ipv6 = [
  ...["::1/128", "::/128", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001:1::1/128", "2001:1::2/128"],
  ...["2001:1::3/128", "2001:2::/48", "2001:3::/32", "2001:4:112::/48", "2001:10::/28", "2001:20::/28", "2001:30::/28"],
  ...["2001:db8::/32", "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "ff00::/8", "fec0::/10"]
]

/** Of the same registry: what an IPv4 address inside of them decides. */
const wrapping = ["::ffff:0:0/96", "64:ff9b::/96", "2001::/32", "2002::/16"]

/** An address of a network: its first bits, and any others after them. */
const within = (cidr: string) => {
  const [base, prefix] = ipaddr.parseCIDR(cidr)
  const bytes = base.toByteArray()
  return fc.uint8Array({ minLength: bytes.length, maxLength: bytes.length }).map((random) =>
    ipaddr
      .fromByteArray(
        bytes.map((byte, index) => {
          const fixed = Math.min(8, Math.max(0, prefix - index * 8))
          const mask = (0xff << (8 - fixed)) & 0xff
          return (byte & mask) | ((random[index] ?? 0) & ~mask & 0xff)
        })
      )
      .toString()
  )
}

const edges = (cidr: string) => {
  const [base, prefix] = ipaddr.parseCIDR(cidr)
  const bytes = base.toByteArray()
  const last = bytes.map((byte, index) => byte | (0xff >> Math.min(8, Math.max(0, prefix - index * 8))))
  return [base.toString(), ipaddr.fromByteArray(last).toString()]
}

const isRefused = (address: string): boolean =>
  ["private_address", "metadata_host"].includes(addressRefusal(address, 443, strict) ?? "")

describe("every special-purpose range of IANA's registries is refused", () => {
  it.each([...ipv4, ...ipv6])("%s", (cidr) => {
    for (const address of edges(cidr)) assert.isTrue(isRefused(address), address)
    fc.assert(fc.property(within(cidr), (address) => assert.isTrue(isRefused(address), address)))
  })

  it.each(wrapping)("%s unless what is inside may be reached", (cidr) => {
    const [base, prefix] = ipaddr.parseCIDR(cidr)
    const at = prefix === 96 ? 12 : prefix === 16 ? 2 : 12
    const mask = prefix === 32 ? 0xff : 0
    const wrap = (inner: string, server = "8.8.8.8") => {
      const bytes = base.toByteArray()
      const put = (address: string, offset: number, flip: number) =>
        ipaddr
          .parse(address)
          .toByteArray()
          .forEach((byte, index) => (bytes[offset + index] = byte ^ flip))
      if (prefix === 32) put(server, 4, 0)
      put(inner, at, mask)
      return ipaddr.fromByteArray(bytes).toString()
    }
    assert.isNull(addressRefusal(wrap("93.184.216.34"), 443, strict))
    assert.strictEqual(addressRefusal(wrap("93.184.216.34"), 22, strict), "port")
    fc.assert(fc.property(fc.oneof(...ipv4.map(within)), (inner) => assert.isTrue(isRefused(wrap(inner)), wrap(inner))))
    if (prefix === 32) assert.isTrue(isRefused(wrap("93.184.216.34", "10.0.0.1")))
  })

  it("and ISATAP's interface identifiers under any prefix (RFC 5214, 6.1)", () => {
    for (const prefix of ["2606:2800:220:1", "2a00:1450:4001:800"]) {
      for (const id of ["0:5efe:10.0.0.1", "200:5efe:192.168.0.1", "0:5efe:127.0.0.1"]) {
        assert.isTrue(isRefused(`${prefix}:${id}`), `${prefix}:${id}`)
      }
      assert.isNull(addressRefusal(`${prefix}:0:5efe:93.184.216.34`, 443, strict))
    }
  })
})
