import { Effect } from "effect"

type Callback = (error: Error | null, result: Uint8Array) => void

/** Runs an asynchronous function of node:zlib, which works in a thread. An interruption does not wait for it. */
export const zlib = (run: (callback: Callback) => void): Effect.Effect<Uint8Array, Error> =>
  Effect.async((resume) => {
    run((error, result) => {
      resume(error === null ? Effect.succeed(result) : Effect.fail(error))
    })
  })
