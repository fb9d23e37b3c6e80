import { Context, Data, Effect, Fiber, Layer } from "effect"
import { lookup, Resolver as Channel } from "node:dns"
import { readFile } from "node:fs/promises"
import { hostsOf } from "./Hosts.ts"

export class NameNotResolved extends Data.TaggedError("NameNotResolved")<{
  readonly name: string
  readonly cause: unknown
}> {}

type Resolve = (name: string) => Effect.Effect<ReadonlyArray<string>, NameNotResolved>

/**
 * Timeout of the first query to a name server in milliseconds, and the number of tries. The timeout doubles for each
 * try.
 */
const patience = { timeout: 2_500, tries: 3 } as const

/** Time to wait for IPv6 after IPv4 has resolved (RFC 8305, section 3, uses less, for browsers). */
const laterFamily = "300 millis"

const query = (channel: Channel, family: "resolve4" | "resolve6", name: string) =>
  Effect.async<ReadonlyArray<string>, NameNotResolved>((resume) =>
    channel[family](name, (error, found) =>
      resume(error === null ? Effect.succeed(found) : new NameNotResolved({ name, cause: error }))
    )
  )

/** Queries name servers for both address families. Returns IPv4 addresses first. */
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
  /** In the format of `dns.setServers`. Default: those of the operating system. */
  readonly servers?: ReadonlyArray<string>
  readonly hostsFile: string
}

/**
 * Resolves names from the hosts file, then from name servers. Avoids the system call (`dns.lookup`): it blocks one of
 * the four threads of the process, which decompression also needs, until the name server responds. Only names without a
 * dot use it, one at a time, because search lists apply to them.
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
    // Recreated once a minute, since it reads the configuration of the system only once.
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
      // The system call cannot be interrupted. An interrupted caller leaves it running in its thread.
      if (!plain.includes("."))
        return Effect.disconnect(alone.withPermits(1)(Effect.uninterruptible(fromSystem(plain))))
      return Effect.flatMap(channel, (open) => fromServers(open, name))
    }
    return { resolve }
  })

/** Resolves the addresses of a name. The result is not trusted: the fetcher checks each address. */
export class Resolver extends Context.Tag("quarry/Resolver")<Resolver, { readonly resolve: Resolve }>() {
  static readonly layerOf = (options: Options) => Layer.effect(Resolver, make(options))

  /** Uses the configuration of the operating system. */
  static readonly layer = Resolver.layerOf({ hostsFile: "/etc/hosts" })
}
