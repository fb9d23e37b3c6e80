import { Context, type Effect } from "effect"
import { type AnyFailure } from "../domain/Envelope.ts"
import { type Caller } from "../services/rate-limiter/Caller.ts"

/**
 * Another interface on the same socket, such as MCP, behind the same request pipeline and budgets. It receives requests
 * of its methods, with the body already read within its limit and with `X-Request-Id` set. It defines its own responses
 * and spends budgets through the caller. A failure becomes the REST envelope.
 */
export interface MountedApp {
  readonly path: string
  readonly methods: ReadonlyArray<string>
  /**
   * Set when the app itself answers all other methods. Otherwise, the pipeline answers OPTIONS, and 405 to the rest.
   */
  readonly everyMethod?: boolean
  readonly description: string
  readonly handle: (request: Request, caller: Caller["Type"]) => Effect.Effect<Response, AnyFailure>
}

/** The mounted apps of this server, provided where the server is composed. */
export class MountedApps extends Context.Reference<MountedApps>()("quarry/http/MountedApps", {
  defaultValue: (): ReadonlyArray<MountedApp> => []
}) {}
