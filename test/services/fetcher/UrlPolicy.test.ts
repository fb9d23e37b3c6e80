import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as fc from "fast-check"
import ipaddr from "ipaddr.js"
import { networkOf } from "../../../src/domain/Network.ts"
import { addressRefusal, checkUrl, type UrlPolicy } from "../../../src/services/fetcher/UrlPolicy.ts"
import { forbidden } from "./forbidden.ts"

const allowedPorts = new Set([80, 443, 8080, 8443])
const strict: UrlPolicy = { allowedNetworks: [], allowedPorts }
const opening = (...networks: ReadonlyArray<string>): UrlPolicy => ({
  allowedNetworks: networks.flatMap((network) => networkOf(network) ?? []),
  allowedPorts
})

const verdict = (url: string, policy = strict) =>
  Either.match(checkUrl(url, policy), { onLeft: (r) => r, onRight: () => null })

type Octets = readonly [number, number, number, number]

const octet = fc.integer({ min: 0, max: 255 })
const anyIpv4 = fc.tuple(octet, octet, octet, octet)

/** Loopback, private, shared, link-local, benchmarking, documentation, multicast, reserved. */
const special = fc.oneof(
  ...[
    ...[
      [0],
      [10],
      [127],
      [100, 64],
      [100, 127],
      [169, 254],
      [172, 16],
      [172, 31],
      [192, 168],
      [192, 0, 0],
      [192, 0, 2]
    ],
    ...[[192, 88, 99], [198, 18], [198, 19], [198, 51, 100], [203, 0, 113], [224], [239], [240], [255]]
  ].map((prefix) =>
    anyIpv4.map((octets): Octets => [prefix[0] ?? octets[0], prefix[1] ?? octets[1], prefix[2] ?? octets[2], octets[3]])
  )
)

const value = ([a, b, c, d]: Octets): number => ((a * 256 + b) * 256 + c) * 256 + d
const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0")
const groups = ([a, b, c, d]: Octets, mask = 0): string =>
  `${hex((a ^ mask) * 256 + (b ^ mask), 4)}:${hex((c ^ mask) * 256 + (d ^ mask), 4)}`
const fullWidth = (text: string): string =>
  text.replace(/[0-9a-z.]/g, (char) => (char === "." ? "\u{3002}" : String.fromCharCode(char.charCodeAt(0) + 0xfee0)))
const escaped = (text: string): string => text.replace(/./g, (char) => `%${hex(char.charCodeAt(0), 2)}`)

/** Ways to write an IPv4 address as a host. */
const spellings: ReadonlyArray<(octets: Octets) => string> = [
  (octets) => octets.join("."),
  (octets) => `${octets.join(".")}.`,
  (octets) => String(value(octets)),
  (octets) => `0x${hex(value(octets), 8)}`,
  (octets) => `0X${hex(value(octets), 8).toUpperCase()}`,
  (octets) => `0${value(octets).toString(8)}`,
  (octets) => octets.map((part) => `0x${hex(part, 2)}`).join("."),
  (octets) => octets.map((part) => `0${part.toString(8)}`).join("."),
  (octets) => octets.map((part) => `000${part.toString(8)}`).join("."),
  ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `0x${hex(a, 2)}.${b}.0${(c * 256 + d).toString(8)}`,
  (octets) => fullWidth(octets.join(".")),
  (octets) => escaped(octets.join(".")),
  (octets) => octets.join("%2e"),
  (octets) => octets.join("\u{ff0e}"),
  (octets) => octets.join("\u{ad}."),
  (octets) => `[::ffff:${octets.join(".")}]`,
  (octets) => `[::ffff:${groups(octets)}]`,
  (octets) => `[0:0:0:0:0:FFFF:${groups(octets)}]`,
  (octets) => `[::${octets.join(".")}]`,
  (octets) => `[::ffff:0:${groups(octets)}]`,
  (octets) => `[64:ff9b::${octets.join(".")}]`,
  (octets) => `[64:ff9b:1::${octets.join(".")}]`,
  (octets) => `[2002:${groups(octets)}::1]`,
  (octets) => `[2001:0:808:808::${groups(octets, 0xff)}]`,
  (octets) => `[2001:0:${groups(octets)}:0:0:f7f7:f7f7]`
]

describe("forbidden URLs", () => {
  it.each(forbidden)("%s is refused: %s", (url, reason) => {
    assert.strictEqual(verdict(url), reason)
  })

  it("are at least sixty", () => {
    assert.isAtLeast(forbidden.length, 60)
  })
})

describe("every spelling of a special-purpose address is refused", () => {
  it.each(spellings.map((spell) => [spell([127, 0, 0, 1]), spell] as const))("as %s", (_example, spell) => {
    fc.assert(
      fc.property(special, (octets) => {
        const reason = verdict(`http://${spell(octets)}/`)
        assert.isTrue(reason === "private_address" || reason === "metadata_host", `${spell(octets)}: ${reason}`)
      })
    )
  })

  it("and so is every IPv6 address outside of 2000::/3 that wraps no public IPv4 one", () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const outside = fc
      .tuple(group, fc.array(group, { minLength: 7, maxLength: 7 }))
      .filter(([first]) => first < 0x2000 || first > 0x3fff)
      .filter(([first]) => first !== 0 && first !== 0x64)
    fc.assert(
      fc.property(outside, ([first, rest]) => {
        const text = [first, ...rest].map((part) => part.toString(16)).join(":")
        assert.strictEqual(addressRefusal(text, 443, strict), "private_address")
      })
    )
  })
})

describe("what is public is allowed", () => {
  it("for IPv4 addresses in every spelling that packets follow", () => {
    const isPublic = (octets: Octets) =>
      new ipaddr.IPv4([...octets]).range() === "unicast" && octets.join(".") !== "168.63.129.16"
    const followed = spellings.filter((spell) => !/^\[(::\d|::ffff:0|64:ff9b:1)/.test(spell([127, 0, 0, 1])))
    fc.assert(
      fc.property(anyIpv4.filter(isPublic), fc.constantFrom(...followed), (octets, spell) => {
        assert.isNull(verdict(`http://${spell(octets)}/`), spell(octets))
      })
    )
  })

  it.each([
    "http://example.com/",
    "HTTPS://EXAMPLE.com:443/a?b#c",
    "http://example.com:8080/",
    "https://example.com:8443/",
    "http://93.184.216.34/",
    "https://[2606:2800:220:1:248:1893:25c8:1946]/",
    "https://[2a00:1450:4001::200e]:8443/",
    "http://b\u{fc}cher.example/",
    "http://localhost.example.com/",
    "http://notlocalhost/",
    "http://[64:ff9b::5db8:d822]/",
    "http://172.32.0.1/",
    "http://100.128.0.1/",
    "http://198.20.0.1/"
  ])("%s", (url) => {
    assert.isNull(verdict(url))
  })

  it("without its fragment", () => {
    const checked = checkUrl("http://EXAMPLE.com/a?b#secret", strict)
    assert.strictEqual(Either.getOrThrow(checked).href, "http://example.com/a?b")
  })
})

describe("networks that were opened", () => {
  it("are reached on any port, in any spelling", () => {
    const policy = opening("127.0.0.0/8", "fd00:1::/32")
    for (const url of ["http://127.0.0.1:9/", "http://2130706433:1/", "http://[::ffff:127.9.9.9]:5/"]) {
      assert.isNull(verdict(url, policy), url)
    }
    assert.isNull(verdict("http://[fd00:1::7]:6000/", policy))
    assert.isNull(verdict("http://localhost:3000/", policy))
  })

  it("open nothing else", () => {
    const policy = opening("10.1.0.0/16")
    assert.strictEqual(verdict("http://10.2.0.1/", policy), "private_address")
    assert.strictEqual(verdict("http://127.0.0.1/", policy), "private_address")
    assert.strictEqual(verdict("http://localhost/", policy), "private_address")
    assert.strictEqual(verdict("http://93.184.216.34:22/", policy), "port")
    assert.strictEqual(addressRefusal("93.184.216.34", 22, policy), "port")
    assert.isNull(addressRefusal("10.1.2.3", 22, policy))
  })

  it("open a metadata service only by its own address", () => {
    assert.strictEqual(verdict("http://169.254.169.254/", opening("169.254.0.0/16")), "metadata_host")
    assert.strictEqual(verdict("http://169.254.169.254/", opening("0.0.0.0/0")), "metadata_host")
    assert.strictEqual(verdict("http://[::ffff:a9fe:a9fe]/", opening("0.0.0.0/0", "::/0")), "metadata_host")
    assert.isNull(verdict("http://169.254.169.254/", opening("169.254.169.254/32")))
  })

  it("open a metadata service in no clothes of IPv6", () => {
    const wide = opening("0.0.0.0/0", "::/0", "64:ff9b::/32", "2002::/16", "2001::/32", "fe80::/10", "2606:4700::/32")
    const clothed = [
      ...["64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe", "2002:a9fe:a9fe::1", "2001:0:808:808::5601:5601"],
      ...[
        "fe80::a9fe:a9fe",
        "fe80::5efe:a9fe:a9fe",
        "2606:4700::200:5efe:a9fe:a9fe",
        "::a9fe:a9fe",
        "::ffff:0:a9fe:a9fe"
      ],
      ...["2002:6464:64c8::", "64:ff9b::a83f:8110"]
    ]
    for (const address of clothed) {
      assert.strictEqual(verdict(`http://[${address}]/`, wide), "metadata_host", address)
      assert.isNull(verdict(`http://[${address}]/`, opening(address)), address)
    }
    assert.isNull(verdict("http://[64:ff9b::a9fe:a9fe]/", opening("169.254.169.254")))
    for (const address of ["64:ff9b::a00:1", "2002:a00:1::", "fe80::1", "fd00::7", "2606:4700::a9fe:a9fe"]) {
      assert.isNull(verdict(`http://[${address}]:9000/`, wide), address)
    }
  })

  it("leave the port of a name open until it is looked up", () => {
    assert.isNull(verdict("http://wiki.corp:9000/", opening("10.0.0.0/8")))
    assert.strictEqual(verdict("http://wiki.corp:9000/", strict), "port")
  })
})

describe("ports", () => {
  it("are those that were configured, by number or by scheme", () => {
    const policy: UrlPolicy = { allowedNetworks: [], allowedPorts: new Set([443]) }
    assert.strictEqual(verdict("http://example.com/", policy), "port")
    assert.isNull(verdict("https://example.com/", policy))
    assert.isNull(verdict("http://example.com:443/", policy))
  })
})

it("a socket without an address is refused", () => {
  assert.strictEqual(addressRefusal("", 80, strict), "private_address")
  assert.strictEqual(addressRefusal("example.com", 80, strict), "private_address")
  assert.strictEqual(addressRefusal("fe80::1%eth0", 80, strict), "private_address")
})
