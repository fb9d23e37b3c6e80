import { type Cause, Effect, MutableRef } from "effect"
import { type AnyFailure } from "../../domain/Envelope.ts"
import { type SourceReceipt, type Sources } from "../../domain/Outcome.ts"
import { hostNameOf, redactedCause } from "./Redaction.ts"
import { type EngineOutcomes, flatOutcomes, outcomesOf, RequestRecord } from "./RequestRecord.ts"

const isOfOneKind = (sources: Sources): sources is ReadonlyArray<SourceReceipt> => Array.isArray(sources)

const enginesOf = (sources: Sources): EngineOutcomes =>
  isOfOneKind(sources)
    ? outcomesOf(sources)
    : flatOutcomes(
        Object.fromEntries(Object.entries(sources).map(([kind, { engines }]) => [kind, outcomesOf(engines)]))
      )

const warning = (message: string, members: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(RequestRecord, (record) =>
    Effect.annotateLogs(Effect.logWarning(message), {
      ...(record === null ? {} : { request_id: record.requestId }),
      ...members
    })
  )

/** Logs the cause of a 502 or 504 response, or of the equivalent MCP or RPC failure. */
export const logFailedAnswer = (failure: AnyFailure): Effect.Effect<void> => {
  switch (failure._tag) {
    case "SearchFailed":
      return warning("search failed", { engines: enginesOf(failure.sources) })
    case "SearchTimedOut":
      return warning("search timed out", { engines: enginesOf(failure.sources) })
    case "FetchFailed":
      return warning("fetch failed", {
        target: hostNameOf(failure.url),
        reason: failure.reason,
        status_code: failure.status_code
      })
    case "FetchTimedOut":
      return warning("fetch timed out", { target: hostNameOf(failure.url), timeout: failure.timeout })
    default:
      return Effect.void
  }
}

interface LogOptions {
  readonly message?: string
  readonly annotations?: Readonly<Record<string, unknown>>
  /** Texts to remove from the log, in addition to those of the request record. */
  readonly sensitive?: ReadonlyArray<string>
}

/** Logs a defect with its stack, and the id of the current request if there is one. */
export const logDefect = (
  cause: Cause.Cause<unknown>,
  { annotations = {}, message = "defect", sensitive = [] }: LogOptions = {}
): Effect.Effect<void> =>
  Effect.flatMap(RequestRecord, (record) => {
    const known = record === null ? [] : MutableRef.get(record.notes).sensitive
    return Effect.annotateLogs(Effect.logError(message, redactedCause(cause, [...known, ...sensitive])), {
      ...(record === null ? {} : { request_id: record.requestId }),
      ...annotations
    })
  })
