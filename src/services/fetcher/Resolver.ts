import { Context, Data, Effect, Fiber, Layer } from "effect"
import { lookup, Resolver as Channel } from "node:dns"
import { readFile } from "node:fs/promises"
import { hostsOf } from "./Hosts.ts"

export class NameNotResolved extends Data.TaggedError("NameNotResolved")<{
  readonly name: string
  readonly cause: unknown
}> {}

type Resolve = (name: string) => Effect.Effect<ReadonlyArray<string>, NameNotResolved>

/** Milliseconds for the first answer of a name server, and how often it is asked; the time doubles. */
const patience = { timeout: 2_500, tries: 3 } as const

/** How long the other family may still take when one has come (RFC 8305, section 3, has less, for browsers). */
const laterFamily = "300 millis"

const query = (channel: Channel, family: "resolve4" | "resolve6", name: string) =>
  Effect.async<ReadonlyArray<string>, NameNotResolved>((resume) =>
    channel[family](name, (error, found) =>
      resume(error === null ? Effect.succeed(found) : new NameNotResolved({ name, cause: error }))
    )
  )

/** Both families of addresses, IPv4 first, from name servers. */
const fromServers = (channel: Channel, name: string) =>
  Effect.gen(function* () {
    const sixth = yield* Effect.fork(query(channel, "resolve6", name))
    const fourth = yield* Effect.either(query(channel, "resolve4", name))
    if (fourth._tag === "Left") return yield* Effect.mapError(Fiber.join(sixth), () => fourth.left)
    const late = yield* Fiber.join(sixth).pipe(
      Effect.orElseSucceed(() => []),
      Effect.timeoutTo({ duration: laterFamily, onTimeout: () => [], onSuccess: (found) => found })
    )
    return [...fourth.right, ...late]
  })

const fromSystem: Resolve = (name) =>
  Effect.async((resume) =>
    lookup(name, { all: true, order: "verbatim" }, (error, found) =>
      resume(
        error === null
          ? Effect.succeed(found.map(({ address }) => address))
          : new NameNotResolved({ name, cause: error })
      )
    )
  )

interface Options {
  /** As `dns.setServers` takes them; the operating system's where there are none. */
  readonly servers?: ReadonlyArray<string>
  readonly hostsFile: string
}

/**
 * The hosts file, then name servers. Not the system's own call: that takes one of the process's four threads, which
 * decompression needs as well, for as long as a slow name server likes. Only names without a dot go there, one at a
 * time, because search lists are for them.
 */
const make = ({ hostsFile, servers }: Options) =>
  Effect.gen(function* () {
    const hosts = hostsOf(
      yield* Effect.orElseSucceed(
        Effect.tryPromise(() => readFile(hostsFile, "utf8")),
        () => ""
      )
    )
    const alone = yield* Effect.makeSemaphore(1)
    // Made anew now and then, since it reads the system's configuration only once.
    const channel = yield* Effect.cachedWithTTL(
      Effect.sync(() => {
        const made = new Channel(patience)
        if (servers !== undefined) made.setServers(servers)
        return made
      }),
      "1 minute"
    )
    const resolve: Resolve = (name) => {
      const plain = name.toLowerCase().replace(/\.$/, "")
      const listed = hosts.get(plain)
      if (listed !== undefined) return Effect.succeed(listed)
      // Who goes away leaves the call behind, which has its thread until it ends.
      if (!plain.includes("."))
        return Effect.disconnect(alone.withPermits(1)(Effect.uninterruptible(fromSystem(plain))))
      return Effect.flatMap(channel, (open) => fromServers(open, name))
    }
    return { resolve }
  })

/** Addresses of a name. What it answers is not trusted: the fetcher judges every one. */
export class Resolver extends Context.Tag("quarry/Resolver")<Resolver, { readonly resolve: Resolve }>() {
  static readonly layerOf = (options: Options) => Layer.effect(Resolver, make(options))

  /** As the operating system is configured. */
  static readonly layer = Resolver.layerOf({ hostsFile: "/etc/hosts" })
}
