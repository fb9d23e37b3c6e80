import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect } from "effect"
import { Caller } from "../services/rate-limiter/Caller.ts"
import { type WithToolServices } from "./ToolServices.ts"
import { makeProtocol } from "./McpServer.ts"
import { StdioTransport } from "./StdioTransport.ts"

/** Serves one client on stdin and stdout without rate limits, until the scope closes. */
export const openStdio = (backed: WithToolServices) =>
  Effect.gen(function* () {
    const { connect } = makeProtocol(backed)
    const { makeServer, report } = yield* connect({ caller: Caller.unlimited, requestId: null, streams: true })
    const transport = new StdioTransport(process.stdin, process.stdout)
    yield* Effect.acquireRelease(
      // Tools, prompts and resources never change at run time, so there is nothing to subscribe to.
      Effect.sync(() => serveStdio(makeServer, { transport, onerror: report, maxSubscriptions: 0 })),
      (handle) => Effect.promise(() => handle.close())
    )
    return transport
  })
