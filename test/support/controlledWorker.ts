import { runMain } from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { getPriority } from "node:os"
import { BroadcastChannel, threadId } from "node:worker_threads"
import { extractDocument } from "../../src/services/extractor/worker/Extraction.ts"
import { type Extract, serveJobs } from "../../src/services/extractor/worker/WorkerThread.ts"
import { channelName, type Reading } from "./Reading.ts"

const counter = { jobs: 0 }

/** Tells of a job and waits until the test lets it end. */
const held = (url: string) =>
  Effect.async<void>((resume) => {
    const reading: Reading = { id: `${threadId}:${counter.jobs++}`, thread: threadId, priority: getPriority(), url }
    const channel = new BroadcastChannel(channelName)
    channel.onmessage = ({ data }: { readonly data: unknown }) => {
      if (data !== reading.id) return
      channel.close()
      resume(Effect.void)
    }
    channel.postMessage(reading)
  })

/** Allocates until the heap's limit ends the thread. */
const exhaustMemory = Effect.sync((): void => {
  const kept: Array<ReadonlyArray<number>> = []
  while (kept.length < Infinity) kept.push(Array.from({ length: 10_000 }, (_, index) => index))
})

/** The start of the document is enough: what the pool does with the thread is tested, not the extraction. */
const extract: Extract = (document, format, piece) =>
  Effect.gen(function* () {
    if (document.url.endsWith("/held")) yield* held(document.url)
    if (document.url.endsWith("/memory")) yield* exhaustMemory
    return yield* extractDocument({ ...document, bytes: document.bytes.subarray(0, 1_000) }, format, piece)
  })

runMain(serveJobs(extract), { disableErrorReporting: true, disablePrettyLogger: true })
