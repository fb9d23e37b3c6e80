import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect } from "effect"
import { Caller } from "../services/Caller.ts"
import { makeProtocol } from "./Protocol.ts"
import { StdioTransport } from "./StdioTransport.ts"

/** Serves one client on stdin and stdout until it hangs up: a local process, without limits. */
export const stdioServer = Effect.scoped(
  Effect.gen(function* () {
    const { connect } = yield* makeProtocol
    const { makeServer, report } = yield* connect({ caller: Caller.unlimited, requestId: null, streams: true })
    const transport = new StdioTransport(process.stdin, process.stdout)
    yield* Effect.acquireRelease(
      // Nothing here ever changes, so there is nothing to subscribe to.
      Effect.sync(() => serveStdio(makeServer, { transport, onerror: report, maxSubscriptions: 0 })),
      (handle) => Effect.promise(() => handle.close())
    )
    yield* Effect.promise(() => transport.closed)
  })
)
