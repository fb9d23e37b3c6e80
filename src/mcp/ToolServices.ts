import { type Effect } from "effect"
import { type Caller } from "../services/rate-limiter/Caller.ts"
import { type Content } from "../services/content/Content.ts"
import { type Engines } from "../services/engine/Engines.ts"
import { type Search } from "../services/search/Search.ts"

/** The services that tools and resources are over. Their code is not imported here: a local process loads it late. */
export interface ToolServices {
  readonly search: Search["Type"]
  readonly content: Content["Type"]
  readonly engines: Engines["Type"]
}

/** Runs what needs the services, when they are there. */
export type WithToolServices = <A, E>(
  use: (backing: ToolServices) => Effect.Effect<A, E, Caller>
) => Effect.Effect<A, E, Caller>
