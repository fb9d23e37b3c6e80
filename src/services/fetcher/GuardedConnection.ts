import { Clock, Data, Effect } from "effect"
import { isIP, type LookupFunction } from "node:net"
import { type PolicyReason } from "../../domain/Failure.ts"
import { type Open } from "../http-client/Connector.ts"
import { fault } from "../http-client/Fault.ts"
import { connectTcp } from "../http-client/Tcp.ts"
import { type HostBackoff } from "./HostBackoff.ts"
import { type NameNotResolved } from "./Resolver.ts"
import { addressRefusal, type UrlPolicy } from "./UrlPolicy.ts"

/** The cause of a fault when policy kept the connection from being made. */
export class AddressRefused extends Data.TaggedError("AddressRefused")<{ readonly reason: PolicyReason }> {}

const refused = (reason: PolicyReason) => fault("connect_error", new AddressRefused({ reason }))

/** Answers with addresses that were judged already: nobody looks the name up a second time. */
const answering = (addresses: ReadonlyArray<string>): LookupFunction => {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, callback) => {
    const first = all[0]
    if (options.all === true) callback(null, [...all])
    else callback(null, first?.address ?? "", first?.family)
  }
}

/** Milliseconds after which one who gave up waiting for a connection says something of the host: no fetch has less. */
const unreachableAfter = 4_000

/** A host with its port, as `HostRest` knows it. */
export const hostKey = (host: string, port: number): string => `${host} ${port}`

/**
 * Connects to nothing that policy forbids. A name is looked up here, once; of its addresses only the allowed ones are
 * tried, and with none of them the connection is refused. Afterwards the socket is asked where it really is.
 */
export const guarded = (
  policy: UrlPolicy,
  resolve: (name: string) => Effect.Effect<ReadonlyArray<string>, NameNotResolved>,
  rest: Pick<HostBackoff, "connected" | "notConnected">,
  connect: typeof connectTcp = connectTcp
): Open =>
  Effect.fnUntraced(function* ({ host, port }) {
    const addresses =
      isIP(host) === 0 ? yield* resolve(host).pipe(Effect.mapError((error) => fault("dns_error", error))) : [host]
    const judged = addresses.map((address) => ({ address, refusal: addressRefusal(address, port, policy) }))
    const allowed = judged.filter(({ refusal }) => refusal === null).map(({ address }) => address)
    if (allowed.length === 0) {
      const reason = judged.find(({ refusal }) => refusal !== null)?.refusal ?? null
      return yield* reason === null ? fault("dns_error", null) : refused(reason)
    }
    const key = hostKey(host, port)
    const started = yield* Clock.currentTimeMillis
    const socket = yield* connect({ host, port, lookup: answering(allowed) }).pipe(
      Effect.tapError(() => rest.notConnected(key)),
      Effect.onInterrupt(() =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          now - started < unreachableAfter ? Effect.void : rest.notConnected(key)
        )
      )
    )
    yield* rest.connected(key)
    const reached = addressRefusal(socket.remoteAddress ?? "", port, policy)
    return reached === null ? socket : yield* refused(reached)
  })
