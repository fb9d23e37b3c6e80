import { Effect, Layer } from "effect"
import tls from "node:tls"
import { Authority } from "../../support/Certificates.ts"

/**
 * Has this process trust the tests' authority. `NODE_EXTRA_CA_CERTS`, which users have, is read before a test can set
 * it; the end-to-end tests go that way.
 */
export const trustAuthority = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { pem } = yield* Authority
    const original = tls.createSecureContext
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        tls.createSecureContext = (options) => {
          const made = original(options)
          made.context.addCACert(pem)
          return made
        }
      }),
      () => Effect.sync(() => (tls.createSecureContext = original))
    )
  })
).pipe(Layer.provide(Authority.layer))
