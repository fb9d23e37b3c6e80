import { Clock, Data, Effect } from "effect"
import { isIP, type LookupFunction } from "node:net"
import { type PolicyReason } from "../../domain/Failure.ts"
import { type Open } from "../http-client/Connector.ts"
import { fault } from "../http-client/Fault.ts"
import { connectTcp } from "../http-client/Tcp.ts"
import { type HostBackoff } from "./HostBackoff.ts"
import { type NameNotResolved } from "./Resolver.ts"
import { addressRefusal, type UrlPolicy } from "./UrlPolicy.ts"

/** The cause of a fault when the URL policy forbids the connection. */
export class AddressRefused extends Data.TaggedError("AddressRefused")<{ readonly reason: PolicyReason }> {}

const refused = (reason: PolicyReason) => fault("connect_error", new AddressRefused({ reason }))

/** Returns the addresses that were checked before, so that the name is not resolved a second time. */
const answering = (addresses: ReadonlyArray<string>): LookupFunction => {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, callback) => {
    const first = all[0]
    if (options.all === true) callback(null, [...all])
    else callback(null, first?.address ?? "", first?.family)
  }
}

/**
 * Milliseconds after which an interrupted connection counts as a failure of the host. Every fetch has at least this
 * time.
 */
const unreachableAfter = 4_000

/** Returns the key of a host and port in `HostBackoff`. */
export const hostKey = (host: string, port: number): string => `${host} ${port}`

/**
 * Connects only to addresses that the policy allows. Resolves a name once, tries its allowed addresses only, and fails
 * when there is none. Checks the remote address of the connected socket again.
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
