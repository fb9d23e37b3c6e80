import { Context, Effect, Layer, Queue, Schema } from "effect"
import { build } from "esbuild"
import { rmSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { BroadcastChannel } from "node:worker_threads"
import { channelName, Reading } from "./Reading.ts"

const isReading = Schema.is(Reading)

/** The worker of the tests, bundled for the scope as the one of `dist` is: Node 20 reads no TypeScript. */
export class ControlledWorker extends Context.Tag("quarry/test/ControlledWorker")<ControlledWorker, { file: URL }>() {
  static readonly layer = Layer.scoped(
    ControlledWorker,
    Effect.acquireRelease(
      Effect.promise(async () => {
        const outfile = resolve("node_modules/.cache/quarry", `controlled-worker-${process.pid}.mjs`)
        await build({
          entryPoints: ["test/support/controlledWorker.ts"],
          outfile,
          bundle: true,
          platform: "node",
          format: "esm",
          // CommonJS dependencies call require(), which a module does not have.
          banner: {
            js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);'
          }
        })
        return { file: pathToFileURL(outfile) }
      }),
      ({ file }) => Effect.sync(() => rmSync(file))
    )
  )
}

/**
 * A worker's file for `Extractor.layerOf`, whose threads hold every document at `/held` until the test lets it end,
 * and run out of memory at `/memory`.
 */
export const controlledWorkers = Effect.gen(function* () {
  const { file } = yield* ControlledWorker
  const readings = yield* Queue.unbounded<Reading>()
  const state = { isOpen: false, held: new Set<string>() }
  const channel = yield* Effect.acquireRelease(
    Effect.sync(() => new BroadcastChannel(channelName)),
    (open) => Effect.sync(() => open.close())
  )
  channel.onmessage = ({ data }: { readonly data: unknown }) => {
    if (!isReading(data)) return
    readings.unsafeOffer(data)
    if (state.isOpen) channel.postMessage(data.id)
    else state.held.add(data.id)
  }
  return {
    file,
    /** Has an element for each document at `/held` that a thread has taken. */
    readings,
    /** Lets all of them end, and those to come. */
    finishAll: Effect.sync(() => {
      state.isOpen = true
      for (const id of state.held) channel.postMessage(id)
    })
  }
})
