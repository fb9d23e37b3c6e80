import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { networkOf } from "../../src/domain/Network.ts"
import { clientOf } from "../../src/http/ClientAddress.ts"
import { type TrustedProxies } from "../../src/services/settings/Settings.ts"

const nobody: TrustedProxies = { _tag: "Hops", hops: 0 }
const hops = (count: number): TrustedProxies => ({ _tag: "Hops", hops: count })
const networks = (...texts: ReadonlyArray<string>): TrustedProxies => ({
  _tag: "Networks",
  networks: texts.map(networkOf).filter((network) => network !== null)
})

describe("clientOf", () => {
  it("counts an IPv4-mapped address as the IPv4 one and an IPv6 host by its /64", () => {
    assert.strictEqual(clientOf("::ffff:192.0.2.7", undefined, nobody), "192.0.2.7")
    assert.strictEqual(
      clientOf("2001:db8:1:2:3:4:5:6", undefined, nobody),
      clientOf("2001:db8:1:2::1", undefined, nobody)
    )
    assert.notStrictEqual(
      clientOf("2001:db8:1:2::1", undefined, nobody),
      clientOf("2001:db8:1:3::1", undefined, nobody)
    )
    assert.strictEqual(clientOf("fe80::1%eth0", undefined, nobody), clientOf("fe80::2", undefined, nobody))
  })

  it("believes nobody by default, whatever the header holds", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        assert.strictEqual(clientOf("192.0.2.7", header, nobody), "192.0.2.7")
        assert.strictEqual(clientOf("192.0.2.7", header, networks("10.0.0.0/8")), "192.0.2.7")
      })
    )
  })

  it("reads from the right as far as hops are trusted", () => {
    assert.strictEqual(clientOf("10.0.0.1", "6.6.6.6, 203.0.113.9", hops(1)), "203.0.113.9")
    assert.strictEqual(clientOf("10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2", hops(2)), "203.0.113.9")
    assert.strictEqual(clientOf("10.0.0.1", undefined, hops(2)), "10.0.0.1")
  })

  it("stops at the first address that is not a trusted network's", () => {
    const trusted = networks("10.0.0.0/8", "fd00::/8")
    assert.strictEqual(clientOf("10.0.0.1", "6.6.6.6, 203.0.113.9, fd00::5", trusted), "203.0.113.9")
    assert.strictEqual(clientOf("10.0.0.1", "10.0.0.3, 10.0.0.2", trusted), "10.0.0.3")
    assert.strictEqual(clientOf("::ffff:10.0.0.1", "203.0.113.9", trusted), "203.0.113.9")
  })

  it("takes entries with ports and brackets, and stops at nonsense", () => {
    assert.strictEqual(clientOf("10.0.0.1", "203.0.113.9:4711", hops(1)), "203.0.113.9")
    assert.strictEqual(clientOf("10.0.0.1", "[2001:db8::1]:443", hops(1)), clientOf("2001:db8::2", undefined, nobody))
    assert.strictEqual(clientOf("10.0.0.1", "unknown", hops(1)), "10.0.0.1")
    assert.strictEqual(clientOf("10.0.0.1", "203.0.113.9, _hidden", hops(2)), "10.0.0.1")
  })
})
