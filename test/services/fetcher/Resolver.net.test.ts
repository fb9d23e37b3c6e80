import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, TestClock } from "effect"
import { pbkdf2 } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { hostsOf } from "../../../src/services/fetcher/Hosts.ts"
import { Resolver } from "../../../src/services/fetcher/Resolver.ts"
import { nameServer, type Says } from "../../support/NameServer.ts"

const hostsFile = (text: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "quarry-hosts-"))
      writeFileSync(join(folder, "hosts"), text)
      return { folder, file: join(folder, "hosts") }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ).pipe(Effect.map(({ file }) => file))

/** Resolves over a name server that says this. */
const resolving = (says: Parameters<typeof nameServer>[0], hosts = "") =>
  Effect.gen(function* () {
    const server = yield* nameServer(says)
    const layer = Resolver.layerOf({ servers: [server.address], hostsFile: yield* hostsFile(hosts) })
    const { resolve } = yield* Effect.provide(Resolver, layer)
    return { ...server, resolve }
  })

// On the clock of the test, so that the second family may take as long as it likes.
it.scoped("a name has the addresses of both families, IPv4 first", () =>
  Effect.gen(function* () {
    const { resolve } = yield* resolving((_, type) => (type === "A" ? ["192.0.2.1", "192.0.2.2"] : ["2001:db8::1"]))
    assert.deepStrictEqual(yield* resolve("both.test"), ["192.0.2.1", "192.0.2.2", "2001:db8::1"])
  })
)

it.scoped("one family is enough, though the other one is silent", () =>
  Effect.gen(function* () {
    const only =
      (family: "A" | "AAAA", otherwise: Says) =>
      (_: string, type: "A" | "AAAA"): Says =>
        type !== family ? otherwise : type === "A" ? ["192.0.2.1"] : ["2001:db8::1"]
    const four = yield* resolving(only("A", "silence"))
    const found = yield* Effect.fork(four.resolve("four.test"))
    // Nobody can see when the wait for the second family begins.
    yield* TestClock.adjust("300 millis").pipe(
      Effect.zipRight(Fiber.poll(found)),
      Effect.repeat({ until: Option.isSome })
    )
    assert.deepStrictEqual(yield* Fiber.join(found), ["192.0.2.1"])
    const six = yield* resolving(only("AAAA", []))
    assert.deepStrictEqual(yield* six.resolve("six.test"), ["2001:db8::1"])
  })
)

it.scopedLive("a name that does not exist, or has no address, fails", () =>
  Effect.gen(function* () {
    const { resolve } = yield* resolving((name) => (name === "none.test" ? "NXDOMAIN" : []))
    for (const name of ["none.test", "empty.test", `${"x".repeat(64)}.test`, "a..test"]) {
      assert.strictEqual((yield* Effect.flip(resolve(name)))._tag, "NameNotResolved", name)
    }
  })
)

it.scopedLive("the hosts file comes first", () =>
  Effect.gen(function* () {
    const hosts = "# comment\n192.0.2.7\tprinter.test Printer # more\n2001:db8::7 printer.test\nnonsense name\n"
    const { asked, resolve } = yield* resolving(() => ["192.0.2.1"], hosts)
    assert.deepStrictEqual(yield* resolve("PRINTER.test."), ["192.0.2.7", "2001:db8::7"])
    assert.deepStrictEqual(yield* resolve("printer"), ["192.0.2.7"])
    assert.deepStrictEqual(yield* asked, [])
  })
)

it.scopedLive("a silent name server holds up neither other names nor the process's threads", () =>
  Effect.gen(function* () {
    const { arrived, resolve } = yield* resolving((name) => (name.startsWith("slow") ? "silence" : ["192.0.2.1"]))
    const names = Array.from({ length: 50 }, (_, index) => `slow${index}.test`)
    yield* Effect.fork(Effect.forEach(names, (name) => Effect.either(resolve(name)), { concurrency: "unbounded" }))
    yield* arrived(names)
    assert.deepInclude(yield* resolve("fast.test"), "192.0.2.1")
    // Runs in one of the threads that getaddrinfo would have taken.
    yield* Effect.async<void>((resume) => pbkdf2("", "", 1, 8, "sha1", () => resume(Effect.void)))
  })
)

describe("a hosts file", () => {
  it("is read as hosts(5) has it", () => {
    const hosts = hostsOf(
      "127.0.0.1 localhost\r\n::1 localhost ip6-localhost\n\n  10.0.0.1  A B # c\n10.0.0.2\n1.2.3 x"
    )
    assert.deepStrictEqual(Object.fromEntries(hosts), {
      localhost: ["127.0.0.1", "::1"],
      "ip6-localhost": ["::1"],
      a: ["10.0.0.1"],
      b: ["10.0.0.1"]
    })
  })
})
