import { Config, ConfigProvider, Context, Effect, Layer, LogLevel, type Redacted } from "effect"
import { type Network, networkOf } from "../../domain/Network.ts"
import { engineNames } from "../engine/catalogue/registry.ts"
import { type ApiKey, apiKeyOf } from "./ApiKeys.ts"
import { engineKeys } from "./EngineKeys.ts"
import { anyOrigin, hostHeader, hostsOf, originOf } from "./HostsFile.ts"
import { type Proxy, proxyOf } from "./Proxy.ts"
import { choice, each, list, variable, whole } from "./Variables.ts"
import { settingWarnings, unbuiltNames } from "./Warnings.ts"

/** The proxies whose `X-Forwarded-For` is trusted: peers in these networks, or the last `hops` hops. */
export type TrustedProxies =
  | { readonly _tag: "Networks"; readonly networks: ReadonlyArray<Network> }
  | { readonly _tag: "Hops"; readonly hops: number }

/** The configuration (contract, section 6). Read once at the start. */
export interface SettingsShape {
  readonly environment: "production" | "development"
  readonly host: string
  readonly port: number
  /** Seconds. */
  readonly searchTimeout: number
  readonly searchProxy: Proxy | null
  readonly trustedProxies: TrustedProxies
  readonly fetchAllowedNetworks: ReadonlyArray<Network>
  readonly fetchAllowedPorts: ReadonlySet<number>
  readonly fetchRespectRobots: boolean
  readonly enginesDisabled: ReadonlySet<string>
  /** The configured engine keys, by the name of their variable. */
  readonly engineKeys: ReadonlyMap<string, Redacted.Redacted>
  /** Seconds; 0 disables the cache. */
  readonly cacheTtl: number
  /** Empty when no key is required. */
  readonly apiKeys: ReadonlyArray<ApiKey>
  readonly corsOrigins: ReadonlyArray<string> | "*"
  /** Host names, with or without a port, in lower case. */
  readonly mcpAllowedHosts: ReadonlyArray<string> | "*"
  /** Null allows loopback origins and the request's own host. */
  readonly mcpAllowedOrigins: ReadonlyArray<string> | "*" | null
  readonly logLevel: LogLevel.LogLevel
  readonly logFormat: "json" | "pretty"
}

const trusted = (text: string): TrustedProxies | null => {
  const hops = whole(text, 0, 32)
  if (hops !== null) return { _tag: "Hops", hops }
  const networks = each(list(text), networkOf)
  return networks === null ? null : { _tag: "Networks", networks }
}

const notBuiltYet = Config.all(
  unbuiltNames.map((name) =>
    variable({
      name,
      fallback: null,
      expected: "unset (this version does not support it yet)",
      read: () => null,
      isSecret: true
    })
  )
)

/** Returns a hint for the most common mistake in a list of origins. */
const withoutScheme = (text: string): string | null =>
  list(text).some((part) => part !== "*" && !part.includes("://"))
    ? "add https:// to each origin without a scheme"
    : null

const levels: Readonly<Record<string, LogLevel.LogLevel>> = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  fatal: LogLevel.Fatal,
  none: LogLevel.None
}

const variables = Config.all({
  environment: variable({
    name: "APP_ENV",
    fallback: "production" as const,
    expected: "production or development",
    read: choice("production", "development")
  }),
  host: variable({
    name: "HOST",
    fallback: "0.0.0.0",
    expected: "an address or host name to listen on, such as 127.0.0.1",
    read: (text) => (/^[A-Za-z0-9.:_%-]+$/.test(text) ? text : null)
  }),
  port: variable({
    name: "PORT",
    fallback: 8000,
    expected: "a port number from 0 to 65535",
    read: (text) => whole(text, 0, 65_535)
  }),
  searchTimeout: variable({
    name: "SEARCH_TIMEOUT",
    fallback: 10,
    expected: "a positive number of seconds up to 60",
    read: (text) => (/^\d{1,3}(\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= 60 ? Number(text) : null)
  }),
  searchProxy: variable<Proxy | null>({
    name: "SEARCH_PROXY",
    fallback: null,
    expected: "a socks5:// or socks5h:// URL such as socks5h://user:password@proxy:1080",
    read: proxyOf,
    hint: (text) => (/^https?:/i.test(text) ? "HTTP proxies are not supported" : null),
    isSecret: true
  }),
  trustedProxies: variable<TrustedProxies>({
    name: "TRUST_PROXY",
    fallback: { _tag: "Hops", hops: 0 },
    expected: "a number of proxies from 0 to 32, or a comma-separated list of CIDRs such as 10.0.0.0/8",
    hint: (text) => (/^(?:true|yes|on)$/i.test(text) ? "use 1 for one proxy in front of this service" : null),
    read: trusted
  }),
  fetchAllowedNetworks: variable<ReadonlyArray<Network>>({
    name: "FETCH_ALLOWED_NETWORKS",
    fallback: [],
    expected: "a comma-separated list of CIDRs such as 10.0.0.0/8",
    read: (text) => each(list(text), networkOf)
  }),
  fetchAllowedPorts: variable<ReadonlySet<number>>({
    name: "FETCH_ALLOWED_PORTS",
    fallback: new Set([80, 443, 8080, 8443]),
    expected: "a comma-separated list of port numbers from 1 to 65535",
    read: (text) => {
      const ports = each(list(text), (part) => whole(part, 1, 65_535))
      return ports && new Set(ports)
    }
  }),
  fetchRespectRobots: variable<boolean>({
    name: "FETCH_RESPECT_ROBOTS",
    fallback: false,
    expected: "true or false",
    read: (text) => ({ true: true, false: false })[text.toLowerCase()] ?? null
  }),
  enginesDisabled: variable<ReadonlySet<string>>({
    name: "ENGINES_DISABLED",
    fallback: new Set(),
    expected: `a comma-separated list of engine names (${engineNames.join(", ")})`,
    read: (text) => {
      const names = each(list(text.toLowerCase()), (part) => engineNames.find((name) => name === part) ?? null)
      return names && new Set(names)
    }
  }),
  engineKeys,
  cacheTtl: variable({
    name: "CACHE_TTL",
    fallback: 300,
    expected: "a whole number of seconds up to 86400, 0 for no cache",
    read: (text) => whole(text, 0, 86_400)
  }),
  apiKeys: variable<ReadonlyArray<ApiKey>>({
    name: "API_KEYS",
    fallback: [],
    expected: "a comma-separated list of name:hash, each hash the SHA-256 of a key in 64 hexadecimal digits",
    read: (text) => each(list(text), apiKeyOf),
    hint: () => 'printf %s "$key" | sha256sum prints the hash of a key',
    isSecret: true
  }),
  corsOrigins: variable<ReadonlyArray<string> | "*">({
    name: "CORS_ORIGINS",
    fallback: "*",
    expected: "* or a comma-separated list of origins such as https://app.example.com",
    read: (text) => (text === "*" ? "*" : each(list(text), originOf)),
    hint: withoutScheme
  }),
  mcpAllowedHosts: variable<ReadonlyArray<string> | "*" | null>({
    name: "MCP_ALLOWED_HOSTS",
    fallback: null,
    expected: "* or a comma-separated list of hosts such as mcp.example.com or localhost:8000",
    read: (text) => (text === "*" ? "*" : each(list(text), hostHeader)),
    hint: (text) => (text.includes("://") ? "leave out the scheme: hosts have none" : null)
  }),
  mcpAllowedOrigins: variable<ReadonlyArray<string> | "*" | null>({
    name: "MCP_ALLOWED_ORIGINS",
    fallback: null,
    expected: "* or a comma-separated list of origins such as https://app.example.com",
    read: (text) => (text === "*" ? "*" : each(list(text), anyOrigin)),
    hint: withoutScheme
  }),
  logLevel: variable({
    name: "LOG_LEVEL",
    fallback: LogLevel.Info,
    expected: `one of ${Object.keys(levels).join(", ")}`,
    read: (text) => levels[text.toLowerCase()] ?? null
  }),
  logFormat: variable<"json" | "pretty" | null>({
    name: "LOG_FORMAT",
    fallback: null,
    expected: "json or pretty",
    read: choice("json", "pretty")
  }),
  notBuiltYet
})

/** Reads the environment. The message of a failure is one line, to print when the start fails. */
export const settings: Config.Config<SettingsShape> = Config.map(variables, ({ logFormat, ...rest }) => ({
  ...rest,
  mcpAllowedHosts: rest.mcpAllowedHosts ?? hostsOf(rest.host),
  logFormat: logFormat ?? (rest.environment === "production" ? "json" : "pretty")
}))

/** Logs probable mistakes in the environment. Reads only the names of variables. */
export const warnOfSettings = (names: ReadonlyArray<string>) =>
  Layer.effectDiscard(
    Effect.flatMap(Settings, ({ engineKeys }) =>
      Effect.forEach(settingWarnings(names, engineKeys), (line) => Effect.logWarning(line), { discard: true })
    )
  )

export class Settings extends Context.Tag("quarry/Settings")<Settings, SettingsShape>() {
  static readonly layer = Layer.effect(Settings, settings)

  /** Reads these variables instead of the environment. For programs that embed Quarry. */
  static readonly layerOf = (variables: Readonly<Record<string, string>>) =>
    Layer.effect(
      Settings,
      Effect.withConfigProvider(settings, ConfigProvider.fromMap(new Map(Object.entries(variables))))
    )
}
