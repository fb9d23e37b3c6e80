import { Transferable, Worker as Threads, type WorkerError } from "@effect/platform"
import { NodeWorker } from "@effect/platform-node"
import { Cause, type Duration, Effect, Exit, Logger, LogLevel, Option, Pool, Ref } from "effect"
import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { type ContentFormat } from "../../../domain/Content.ts"
import { ClientKey } from "../../rate-limiter/ClientKey.ts"
import { isPlain, maxDecodedBytes, alwaysAllowedBytes } from "../../http-client/ContentEncoding.ts"
import { make as makeFairShare } from "../../http-client/FairShare.ts"
import {
  type Busy,
  type Extracted,
  mostBytes,
  noText,
  type Piece,
  type RawDocument,
  type ReadFailure,
  unreadable
} from "../dom/Document.ts"
import { sniff } from "../formats/MediaType.ts"

/** A request to a worker. */
export interface Job {
  readonly document: RawDocument
  readonly format: ContentFormat
  readonly piece: Piece
  /** Maximum size of the decoded document in this lane, in bytes. */
  readonly most: number
}

/** The decoded document exceeds the size limit of its lane. */
interface Grown {
  readonly _tag: "Grown"
}

export const grown: Grown = { _tag: "Grown" }

/** Maximum size of all documents of a lane, being read or waiting, in bytes. */
const mostWaiting = 320 * 1024 * 1024

/** Minimum size to count for a document, in bytes: the request itself takes memory. */
const leastTaken = 64 * 1024

/** Bytes. Four of five pages are smaller. */
const large = 384 * 1024

/** A compressed page has a quarter of its size or less. */
const isLarge = ({ bytes, encoding = "" }: RawDocument): boolean =>
  bytes.length > (isPlain(encoding) ? large : large / 4)

/** Time after which an unused worker ends. */
const idleTime = "5 minutes"

/** Size of the young generation of a worker's heap, in MiB. */
const youngMemory = 16

/** Niceness of workers for large documents. Against normal threads on one processor, they get a third of the time. */
const stepBackOfLarge = 5

/** Timeout for loading the code of a worker. */
const startTime = "10 seconds"

/** Limits on the resources that one document may use in a worker. */
export interface WorkerLimits {
  /** Starts when a worker takes the document. */
  readonly time: Duration.DurationInput
  /** Heap size in MiB, without the bytes of the document. */
  readonly memory: number
}

/** The time budgets of the extraction steps end a document well before these limits. */
const usualLimits: WorkerLimits = { time: "5 seconds", memory: 192 }

/**
 * Returns the worker file next to the bundle, or one folder up when the bundle keeps this code in a subfolder. Returns
 * null when there is none.
 */
export const workerFile = (): URL | null =>
  ["extraction-worker.js", "../extraction-worker.js"]
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url)) ?? null

interface Reader {
  readonly read: (job: Job) => Effect.Effect<Extracted, ReadFailure | Grown | WorkerError.WorkerError>
  /** Terminates the worker, even while it is busy. */
  readonly end: Effect.Effect<void>
}

/** Copies the bytes of a job and transfers the copy to the worker. A structured clone would copy them twice. */
const transferred = (job: Job) => {
  const bytes = new Uint8Array(job.document.bytes)
  return Effect.as(Transferable.addAll([bytes.buffer]), { ...job, document: { ...job.document, bytes } })
}

/**
 * Starts a worker that ends with the scope. Suppresses the logs of the platform: a terminated worker is expected here.
 */
const makeReader = (file: URL, memory: number, niceness: number) =>
  Effect.gen(function* () {
    const threads = new Set<Worker>()
    const end = Effect.promise(() => Promise.all(Array.from(threads, (thread) => thread.terminate())))
    const spawn = () => {
      // Captures stdout: output of a library must not mix with the protocol of a server that uses stdout.
      const thread = new Worker(file, {
        resourceLimits: { maxOldGenerationSizeMb: memory - youngMemory, maxYoungGenerationSizeMb: youngMemory },
        workerData: niceness,
        stdout: true,
        execArgv: []
      })
      thread.stdout.resume()
      threads.add(thread)
      thread.once("exit", () => threads.delete(thread))
      return thread
    }
    const manager = yield* Threads.WorkerManager
    const worker = yield* manager.spawn<Job, Extracted, ReadFailure | Grown>({ encode: transferred }).pipe(
      Effect.provideService(Threads.Spawner, spawn),
      Logger.withMinimumLogLevel(LogLevel.None),
      Effect.timeoutFail({ duration: startTime, onTimeout: () => new Error("An extraction worker did not start") }),
      Effect.orDie,
      Effect.tapErrorCause(() => end)
    )
    // Runs before the finalizer of the platform, which asks the worker to end and waits five seconds while it is busy.
    yield* Effect.addFinalizer(() => end)
    const reader: Reader = { read: (job) => worker.executeEffect(job), end: Effect.asVoid(end) }
    return reader
  })

const isOutOfMemory = ({ cause }: WorkerError.WorkerError): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"

const isBroken = (exit: Exit.Exit<Extracted, ReadFailure | Grown | WorkerError.WorkerError>): boolean =>
  Exit.match(exit, {
    onSuccess: () => false,
    onFailure: (cause) =>
      Option.match(Cause.failureOption(cause), {
        onNone: () => true,
        onSome: (failure) =>
          failure._tag === "WorkerError" || (failure._tag === "Unreadable" && failure.reason === "too_large")
      })
  })

type LaneFailure = ReadFailure | Grown | Busy

/** Returns whether a document exceeds only the decoding limit for small ones, and its ratio allows a larger size. */
const hasOutgrown = ({ bytes }: RawDocument, failure: LaneFailure): boolean =>
  failure._tag === "Undecoded" && failure.reason === "too_large" && maxDecodedBytes(bytes) > alwaysAllowedBytes

const busy: Effect.Effect<never, Busy> = Effect.fail({ _tag: "Busy" })

/** Reads the document of a job when it is the turn of its client. */
type Lane = (job: Job) => Effect.Effect<Extracted, LaneFailure>

/** The configuration of the workers of a lane. */
interface LaneOptions extends WorkerLimits {
  readonly file: URL
  readonly size: number
  readonly stepBack: number
}

/**
 * Makes a lane of workers that share their capacity fairly among clients. Fails with `Busy` at once when too much
 * waits.
 */
const makeLane = ({ file, memory, size, stepBack, time }: LaneOptions) =>
  Effect.gen(function* () {
    const share = yield* makeFairShare({ capacity: size, shareOfFree: size })
    const asked = yield* Ref.make(0)
    const readers = yield* Pool.makeWithTTL({
      acquire: makeReader(file, memory, stepBack),
      min: 0,
      max: size,
      timeToLive: idleTime
    })

    const readWith = (reader: Reader, job: Job) =>
      reader.read(job).pipe(
        Effect.timeoutFail({ duration: time, onTimeout: () => unreadable("too_large") }),
        Effect.onExit((exit) =>
          isBroken(exit) ? Effect.zipRight(reader.end, Pool.invalidate(readers, reader)) : Effect.void
        ),
        Effect.catchTag("WorkerError", (error) =>
          isOutOfMemory(error) ? Effect.fail(unreadable("too_large")) : Effect.die(error)
        )
      )

    const lane: Lane = (job) => {
      const taken = Math.max(job.document.bytes.length, leastTaken)
      const reading = Effect.scoped(Effect.flatMap(readers, (reader) => readWith(reader, job)))
      return Effect.acquireUseRelease(
        Ref.updateAndGet(asked, (sum) => sum + taken),
        (sum): ReturnType<Lane> =>
          sum <= mostWaiting ? Effect.flatMap(ClientKey, (client) => share(client)(reading)) : busy,
        () => Ref.update(asked, (sum) => sum - taken)
      )
    }
    return lane
  })

/**
 * Reads documents in a few worker threads. Terminates the worker of a document that exceeds its time or memory limit,
 * or whose caller is interrupted. The next document gets a new worker. Large documents have a lane of their own, with a
 * lower priority than the threads that answer requests and read small documents.
 */
export const makeWorkers = (file: URL, limits: WorkerLimits = usualLimits) =>
  Effect.gen(function* () {
    const size = Math.min(4, Math.max(2, availableParallelism()))
    const laneOfSmall = yield* makeLane({ ...limits, file, size, stepBack: 0 })
    const laneOfLarge = yield* makeLane({ ...limits, file, size, stepBack: stepBackOfLarge })

    return (document: RawDocument, format: ContentFormat, piece: Piece) => {
      const { bytes, contentType, encoding = "" } = document
      if (isPlain(encoding)) {
        const sniffed = sniff(bytes, contentType)
        if (sniffed.kind === "none") return Effect.fail(noText(sniffed.contentType))
      }
      const readingSmall = laneOfSmall({ document, format, piece, most: large })
      const readingLarge = Effect.catchTag(
        laneOfLarge({ document, format, piece, most: mostBytes }),
        "Grown",
        Effect.die
      )
      const inTurn = isLarge(document)
        ? readingLarge
        : readingSmall.pipe(
            Effect.catchIf(
              (failure) => hasOutgrown(document, failure),
              () => readingLarge
            ),
            Effect.catchTag("Grown", () => readingLarge)
          )
      // An interrupted caller does not wait for the thread to end.
      return Effect.disconnect(inTurn)
    }
  }).pipe(Effect.provide(NodeWorker.layerManager))
