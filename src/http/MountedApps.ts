import { Context, type Effect } from "effect"
import { type AnyFailure } from "../domain/Envelope.ts"
import { type Caller } from "../services/rate-limiter/Caller.ts"

/**
 * Another interface on the same socket, such as MCP: behind the same edge, with the same budgets. It gets requests of its
 * methods, the body already read within its limit and `X-Request-Id` always set, and answers in its own terms; it
 * spends by the caller. What it fails with becomes the envelope that REST gives.
 */
export interface MountedApp {
  readonly path: string
  readonly methods: ReadonlyArray<string>
  /** Set by a door that has its own terms for other methods too; else they are a 405, and OPTIONS is answered. */
  readonly everyMethod?: boolean
  readonly description: string
  readonly handle: (request: Request, caller: Caller["Type"]) => Effect.Effect<Response, AnyFailure>
}

/** The doors of this server, given where it is put together. */
export class MountedApps extends Context.Reference<MountedApps>()("quarry/http/MountedApps", {
  defaultValue: (): ReadonlyArray<MountedApp> => []
}) {}
