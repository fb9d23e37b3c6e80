import { type Effect } from "effect"
import { type Caller } from "../services/rate-limiter/Caller.ts"
import { type Content } from "../services/content/Content.ts"
import { type Engines } from "../services/engine/Engines.ts"
import { type Search } from "../services/search/Search.ts"

/**
 * Services that the tools and resources use. Only their types are imported here, because a local process loads the code
 * late.
 */
export interface ToolServices {
  readonly search: Search["Type"]
  readonly content: Content["Type"]
  readonly engines: Engines["Type"]
}

/** Runs an effect with the services, once they are loaded. */
export type WithToolServices = <A, E>(
  use: (backing: ToolServices) => Effect.Effect<A, E, Caller>
) => Effect.Effect<A, E, Caller>
