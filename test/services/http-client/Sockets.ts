import { Effect } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"

/** Counts every TCP socket that this process makes, wherever to: without a socket there is no packet. */
export const sockets = Effect.acquireRelease(
  Effect.sync(() => {
    const state = { count: 0, listener: () => void state.count++ }
    subscribe("net.client.socket", state.listener)
    return state
  }),
  ({ listener }) => Effect.sync(() => unsubscribe("net.client.socket", listener))
)
