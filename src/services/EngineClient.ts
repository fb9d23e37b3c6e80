import { Context, Data, type Effect } from "effect"
import { type EngineFault } from "../domain/Outcome.ts"
import { type EngineAnswer, type EngineRequest } from "./Engines/Engine.ts"

/** The request did not bring an answer: `timeout`, `dns_error`, `connect_error`, `tls_error`, `proxy_error`, `layout_changed` (a body too large or undecodable). */
export class EngineUnreachable extends Data.TaggedError("EngineUnreachable")<{
  readonly fault: EngineFault
  readonly cause: unknown
}> {}

/** The way out for searches: pooled, through `SEARCH_PROXY` where there is one. Never carries content fetches. */
export class EngineClient extends Context.Tag("quarry/EngineClient")<
  EngineClient,
  { readonly send: (request: EngineRequest) => Effect.Effect<EngineAnswer, EngineUnreachable> }
>() {}
