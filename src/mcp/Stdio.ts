import { Effect } from "effect"
import { Content } from "../services/content/Content.ts"
import { Engines } from "../services/engine/Engines.ts"
import { Search } from "../services/search/Search.ts"
import { openStdio } from "./StdioServer.ts"

/** Serves one client of a local process on stdin and stdout without rate limits, until it disconnects. */
export const stdioServer = Effect.scoped(
  Effect.gen(function* () {
    const backing = { search: yield* Search, content: yield* Content, engines: yield* Engines }
    const { closed } = yield* openStdio((use) => use(backing))
    yield* Effect.promise(() => closed)
  })
)
