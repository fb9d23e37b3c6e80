import { HttpServer } from "@effect/platform"
import { Effect, Layer } from "effect"
import { rateLimits, windowSeconds } from "../domain/RateLimits.ts"
import { version } from "../domain/Version.ts"
import { Engines } from "../services/engine/Engines.ts"
import { Settings, type SettingsShape } from "../services/settings/Settings.ts"

const bracketed = (host: string): string => (host.includes(":") ? `[${host}]` : host)

const reachable = (hostname: string): string =>
  hostname === "0.0.0.0" || hostname === "::" ? "127.0.0.1" : bracketed(hostname)

const proxyOf = ({ searchProxy }: SettingsShape): string =>
  searchProxy === null ? "none" : `${bracketed(searchProxy.host)}:${searchProxy.port}`

/** Logs the address of the server and the settings that an operator may want to verify. */
export const startLine = Layer.effectDiscard(
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    if (address._tag !== "TcpAddress") return
    const settings = yield* Settings
    const engines = yield* Engines
    yield* Effect.annotateLogs(Effect.logInfo("listening"), {
      url: `http://${reachable(address.hostname)}:${address.port}`,
      version,
      environment: settings.environment,
      proxy: proxyOf(settings),
      engines: (yield* engines.report).map(({ name }) => name),
      engines_left_out: yield* engines.leftOut,
      rate_limits: { window_seconds: windowSeconds, ...rateLimits[settings.environment] }
    })
  })
)
