import { Context, Data, Effect, Layer } from "effect"
import { lookup } from "node:dns"

export class NameNotResolved extends Data.TaggedError("NameNotResolved")<{
  readonly name: string
  readonly cause: unknown
}> {}

/** Addresses of a name. What it answers is not trusted: the fetcher judges every one. */
export class Resolver extends Context.Tag("quarry/Resolver")<
  Resolver,
  { readonly resolve: (name: string) => Effect.Effect<ReadonlyArray<string>, NameNotResolved> }
>() {
  /** The operating system's, hosts file and all. */
  static readonly layer = Layer.succeed(Resolver, {
    resolve: (name) =>
      Effect.async((resume) =>
        lookup(name, { all: true, order: "verbatim" }, (error, found) =>
          resume(
            error === null
              ? Effect.succeed(found.map(({ address }) => address))
              : new NameNotResolved({ name, cause: error })
          )
        )
      )
  })
}
