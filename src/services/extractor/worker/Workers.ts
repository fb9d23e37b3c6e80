import { Transferable, Worker as Threads, type WorkerError } from "@effect/platform"
import { NodeWorker } from "@effect/platform-node"
import { Cause, type Duration, Effect, Exit, Logger, LogLevel, Option, Pool, Ref } from "effect"
import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { type ContentFormat } from "../../../domain/Content.ts"
import { ClientKey } from "../../rate-limiter/ClientKey.ts"
import { isPlain, mostOf, unsuspicious } from "../../http-client/ContentEncoding.ts"
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

/** What a worker is asked. */
export interface Job {
  readonly document: RawDocument
  readonly format: ContentFormat
  readonly piece: Piece
  /** Bytes that the document may have without its encoding, in this lane. */
  readonly most: number
}

/** A document that is larger without its encoding than its lane takes. */
interface Grown {
  readonly _tag: "Grown"
}

export const grown: Grown = { _tag: "Grown" }

/** Bytes of all documents of a lane, read or waiting to be. */
const mostWaiting = 320 * 1024 * 1024

/** Bytes that a document takes however small it is: its request. */
const leastTaken = 64 * 1024

/** Bytes. Four of five pages are smaller. */
const large = 384 * 1024

/** Compressed, a page has a quarter of its size or less. */
const isLarge = ({ bytes, encoding = "" }: RawDocument): boolean =>
  bytes.length > (isPlain(encoding) ? large : large / 4)

/** A worker that has not been needed for so long ends. */
const idleTime = "5 minutes"

/** Of a worker's heap, MiB for what lives shortly. */
const youngMemory = 16

/** How far workers that read large documents step back: they get a third of what others do who want the same processor. */
const stepBackOfLarge = 5

/** For a worker's code to load. */
const startTime = "10 seconds"

/** What a document may take of a worker. */
export interface WorkerLimits {
  /** From when a worker takes it. */
  readonly time: Duration.DurationInput
  /** MiB of its heap. The bytes of a document are not counted in. */
  readonly memory: number
}

/** The budgets of the steps of reading end a document well before. */
const usualLimits: WorkerLimits = { time: "5 seconds", memory: 192 }

/** The worker's file beside the bundle, which may have this code in a file of a folder of its own; null without. */
export const workerFile = (): URL | null =>
  ["extraction-worker.js", "../extraction-worker.js"]
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url)) ?? null

interface Reader {
  readonly read: (job: Job) => Effect.Effect<Extracted, ReadFailure | Grown | WorkerError.WorkerError>
  /** Ends it whatever it does. */
  readonly end: Effect.Effect<void>
}

/** The job with a copy of its bytes, which goes over to the worker as it is: a clone would be copied twice. */
const transferred = (job: Job) => {
  const bytes = new Uint8Array(job.document.bytes)
  return Effect.as(Transferable.addAll([bytes.buffer]), { ...job, document: { ...job.document, bytes } })
}

/** One worker, ended with the scope. What the platform would log of an ended worker is expected here. */
const makeReader = (file: URL, memory: number, stepBack: number) =>
  Effect.gen(function* () {
    const threads = new Set<Worker>()
    const end = Effect.promise(() => Promise.all(Array.from(threads, (thread) => thread.terminate())))
    const spawn = () => {
      // What a library prints there is no answer of a server that speaks on stdout.
      const thread = new Worker(file, {
        resourceLimits: { maxOldGenerationSizeMb: memory - youngMemory, maxYoungGenerationSizeMb: youngMemory },
        workerData: stepBack,
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
    // Runs before the platform asks the worker to end, and waits five seconds for one that is busy.
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

/** It is larger than what is undone in the lane of small ones, and may be so: few bytes may not become more than that. */
const hasOutgrown = ({ bytes }: RawDocument, failure: LaneFailure): boolean =>
  failure._tag === "Undecoded" && failure.reason === "too_large" && mostOf(bytes) > unsuspicious

const busy: Effect.Effect<never, Busy> = Effect.fail({ _tag: "Busy" })

/** Reads a job's document in its client's turn. */
type Lane = (job: Job) => Effect.Effect<Extracted, LaneFailure>

/** What a lane's workers are. */
interface Crew extends WorkerLimits {
  readonly file: URL
  readonly size: number
  readonly stepBack: number
}

/** Workers, and the documents that wait for one in turns of their clients. Gives up at once where too many wait. */
const makeLane = ({ file, memory, size, stepBack, time }: Crew) =>
  Effect.gen(function* () {
    const share = yield* makeFairShare({ capacity: size, part: size })
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
 * Reads documents in a few worker threads. One that takes more than its time or memory, or that nobody waits for any
 * more, costs its worker the life; the next document gets a new one. Large documents have a lane of their own, whose
 * workers step back behind whoever answers requests and reads small ones.
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
      // Whoever is no longer waiting need not wait for the thread to end, either.
      return Effect.disconnect(inTurn)
    }
  }).pipe(Effect.provide(NodeWorker.layerManager))
