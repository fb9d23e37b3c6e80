import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { inspect } from "node:util"
import { settings } from "../../../src/services/settings/Settings.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  settings.pipe(Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))))

const complaint = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(read(variables)), (error) => String(error))

describe("Settings", () => {
  it.effect("has the specification's defaults", () =>
    Effect.gen(function* () {
      const defaults = yield* read({})
      assert.deepInclude(defaults, {
        environment: "production",
        host: "0.0.0.0",
        port: 8000,
        searchTimeout: 10,
        searchProxy: null,
        cacheTtl: 300,
        corsOrigins: "*",
        logFormat: "json"
      })
      assert.deepStrictEqual([...defaults.fetchAllowedPorts], [80, 443, 8080, 8443])
      assert.strictEqual((yield* read({ APP_ENV: "development" })).logFormat, "pretty")
      assert.strictEqual((yield* read({ PORT: "", APP_ENV: " " })).port, 8000)
    })
  )

  it.effect("reads a proxy with user and password", () =>
    Effect.gen(function* () {
      const { searchProxy } = yield* read({ SEARCH_PROXY: "socks5://us%40er:p%3Ass@proxy.example:9050" })
      assert.deepInclude(searchProxy, { host: "proxy.example", port: 9050 })
      assert.strictEqual(searchProxy?.credentials?.user, "us@er")
      assert.strictEqual(Redacted.value(searchProxy?.credentials?.password ?? Redacted.make("")), "p:ss")
      assert.notInclude(`${inspect(searchProxy, { depth: 9 })}${JSON.stringify(searchProxy)}`, "p:ss")
      assert.deepInclude((yield* read({ SEARCH_PROXY: "socks5h://[::1]" })).searchProxy, { host: "::1", port: 1080 })
    })
  )

  it.effect("lets MCP clients in by Host and Origin", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* read({}), { mcpAllowedHosts: "*", mcpAllowedOrigins: null })
      for (const HOST of ["localhost", "127.0.0.1", "127.1.2.3", "::1"]) {
        const names = [...(yield* read({ HOST })).mcpAllowedHosts]
        assert.include(names, HOST === "::1" ? "[::1]" : HOST)
        assert.include(names, "localhost")
      }
      const given = yield* read({
        HOST: "127.0.0.1",
        MCP_ALLOWED_HOSTS: "MCP.example.com, localhost:8000",
        MCP_ALLOWED_ORIGINS: "https://App.example.com/, vscode-webview://Panel"
      })
      assert.deepStrictEqual(given.mcpAllowedHosts, ["mcp.example.com", "localhost:8000"])
      assert.deepStrictEqual(given.mcpAllowedOrigins, ["https://app.example.com", "vscode-webview://panel"])
      const open = { mcpAllowedHosts: "*", mcpAllowedOrigins: "*" } as const
      assert.deepInclude(yield* read({ HOST: "::1", MCP_ALLOWED_HOSTS: "*", MCP_ALLOWED_ORIGINS: "*" }), open)
    })
  )

  it.effect("refuses a proxy login that does not fit the protocol", () =>
    Effect.gen(function* () {
      const long = yield* complaint({ SEARCH_PROXY: `socks5h://${"q".repeat(256)}:secret@proxy` })
      assert.include(long, "SEARCH_PROXY must be ")
    })
  )

  const unusable: ReadonlyArray<readonly [name: string, value: string]> = [
    ["APP_ENV", "staging"],
    ["PORT", "70000"],
    ["PORT", "1e3"],
    ["HOST", "not a host"],
    ["SEARCH_TIMEOUT", "0"],
    ["SEARCH_TIMEOUT", "60.5"],
    ["SEARCH_TIMEOUT", "-1"],
    ["TRUST_PROXY", "yes"],
    ["TRUST_PROXY", "10.0.0.0/33"],
    ["FETCH_ALLOWED_NETWORKS", "10.0.0.0/8,intranet"],
    ["FETCH_ALLOWED_PORTS", "80,0"],
    ["ENGINES_DISABLED", "altavista"],
    ["CACHE_TTL", "-5"],
    ["CORS_ORIGINS", "example.com"],
    ["MCP_ALLOWED_HOSTS", "https://mcp.example.com"],
    ["MCP_ALLOWED_HOSTS", "a b"],
    ["MCP_ALLOWED_HOSTS", "x:99999"],
    ["MCP_ALLOWED_HOSTS", "[::1"],
    ["MCP_ALLOWED_HOSTS", "[::1::2]"],
    ["MCP_ALLOWED_HOSTS", "*.example.com"],
    ["MCP_ALLOWED_ORIGINS", "app.example.com"],
    ["MCP_ALLOWED_ORIGINS", "https://*.example.com"],
    ["MCP_ALLOWED_ORIGINS", "vscode-webview://*"],
    ["MCP_ALLOWED_ORIGINS", "https://app.example.com:99999"],
    ["MCP_ALLOWED_ORIGINS", "https://*"],
    ["MCP_ALLOWED_ORIGINS", "https://app.example.com/path"],
    ["LOG_LEVEL", "loud"],
    ["LOG_FORMAT", "xml"],
    ["FETCH_RESPECT_ROBOTS", "perhaps"]
  ]
  it.effect.each(unusable)("refuses %s=%s by name, value and what was expected", ([name, value]) =>
    Effect.gen(function* () {
      const message = yield* complaint({ [name]: value })
      assert.include(message, `${name} must be `)
      assert.include(message, JSON.stringify(value))
    })
  )

  it.effect("reads the keys of clients, and tells nobody what may be one", () =>
    Effect.gen(function* () {
      const hash = createHash("sha256").update("sesame").digest("hex")
      const { apiKeys } = yield* read({ API_KEYS: `alice:${hash}, bob.2:${hash.toUpperCase()}` })
      assert.deepStrictEqual(
        apiKeys.map(({ hash, name }) => [name, Buffer.from(hash).toString("hex")]),
        [
          ["alice", hash],
          ["bob.2", hash]
        ]
      )
      for (const value of ["sesame", "alice:sesame", `a sesame:${hash}`, `alice:${hash},sesame`, `:${hash}`]) {
        const message = yield* complaint({ API_KEYS: value })
        assert.include(message, "API_KEYS must be ")
        assert.notInclude(message, "sesame")
      }
    })
  )

  it.effect("reads the keys of engines, and keeps them to itself", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* read({ BRAVE_API_KEY: "", EXA_API_KEY: " " })).engineKeys.size, 0)
      const variables = [
        "BRAVE_API_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_CSE_ID",
        "TAVILY_API_KEY",
        "EXA_API_KEY",
        "SERPER_API_KEY"
      ]
      const given = yield* read(Object.fromEntries(variables.map((name) => [name, ` key-of-${name}:+/=&%`])))
      for (const name of variables) {
        const key = given.engineKeys.get(name)
        assert.strictEqual(key === undefined ? "" : Redacted.value(key), `key-of-${name}:+/=&%`)
      }
      assert.notInclude(`${inspect(given, { depth: 9 })}${JSON.stringify([...given.engineKeys])}`, "key-of-")
      assert.strictEqual((yield* read({ EXA_API_KEY: "k".repeat(512) })).engineKeys.size, 1)
    })
  )

  it.effect.each(["open sesame", "sésame", "sesame\nsesame", "sesame\tsesame", "sesame".repeat(90), "sesame:x@host y"])(
    "refuses the key %j without showing it",
    (value) =>
      Effect.gen(function* () {
        const message = yield* complaint({ GOOGLE_CSE_ID: value })
        assert.include(message, "GOOGLE_CSE_ID must be a key of at most 512 printable ASCII characters")
        assert.include(message, "(hidden)")
        assert.notMatch(message, /s[eé]same/)
      })
  )

  it.effect("lets engines be disabled that have no key", () =>
    Effect.gen(function* () {
      const { enginesDisabled } = yield* read({ ENGINES_DISABLED: "serper,Exa" })
      assert.deepStrictEqual([...enginesDisabled], ["serper", "exa"])
    })
  )

  it.effect("names every unusable variable, and no secret", () =>
    Effect.gen(function* () {
      const message = yield* complaint({ PORT: "x", SEARCH_PROXY: "http://alice:hunter2@proxy:1", CACHE_TTL: "y" })
      for (const name of ["PORT", "SEARCH_PROXY", "CACHE_TTL"]) assert.include(message, `${name} must be `)
      assert.notInclude(message, "hunter2")
      assert.notInclude(message, "alice")
    })
  )

  const misspelt = [
    "alice:hunter2@proxy:1080",
    "socks5:/alice:hunter2@proxy",
    "socks5:alice:hunter2@proxy",
    "http://alice:hunter2@proxy:1",
    "proxy:1080:alice:hunter2",
    "socks5://:hunter2@proxy"
  ]
  const beyondTelling = [
    "socks5h//u:hunter2",
    "u:hunter2",
    "socks5://proxy:1080?password=hunter2",
    "socks5://proxy:1080/user:hunter2",
    "socks5:/user:hunter2",
    "user hunter2 proxy"
  ]
  it.effect.each([...misspelt, ...beyondTelling])("shows no password of %s, where there may be one", (value) =>
    Effect.gen(function* () {
      for (const name of ["SEARCH_PROXY", "REDIS_URL", "OTEL_EXPORTER_OTLP_ENDPOINT"]) {
        const message = yield* complaint({ [name]: value })
        assert.include(message, `${name} must be `)
        assert.include(message, "(hidden)")
        assert.notInclude(message, "hunter2")
      }
    })
  )

  it.effect.each(misspelt)("shows no password of %s that was meant for another variable", (value) =>
    Effect.gen(function* () {
      const message = yield* complaint({ TRUST_PROXY: value })
      assert.include(message, "TRUST_PROXY must be ")
      assert.notInclude(message, "hunter2")
    })
  )
})
