import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { settings } from "../../../src/services/settings/Settings.ts"
import { keyVariables } from "../../../src/services/settings/EngineKeys.ts"
import { settingWarnings, unbuiltNames, variableNames } from "../../../src/services/settings/Warnings.ts"

const none = new Map<string, Redacted.Redacted>()
const keys = (...names: ReadonlyArray<string>) => new Map(names.map((name) => [name, Redacted.make("key")]))

describe("warnings of the environment", () => {
  it.effect("know every variable that is read", () =>
    Effect.gen(function* () {
      const asked = new Set<string>()
      const environment = ConfigProvider.fromMap(new Map())
      const recording = ConfigProvider.fromFlat({
        ...environment.flattened,
        load: (path, config, split) => {
          asked.add(path.join("."))
          return environment.flattened.load(path, config, split)
        }
      })
      yield* Effect.withConfigProvider(settings, recording)
      assert.sameMembers([...asked], [...variableNames, ...keyVariables, ...unbuiltNames])
    })
  )

  it.each([
    ["SEARCH_TIMOUT", "SEARCH_TIMEOUT"],
    ["SEARCH_TIMEOUTS", "SEARCH_TIMEOUT"],
    ["SAERCH_PROXY", "SEARCH_PROXY"],
    ["SEARCH_SECONDS", "SEARCH_PROXY"],
    ["API_KEY", "API_KEYS"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["PROT", "PORT"],
    ["ENGINES_DISABLE", "ENGINES_DISABLED"],
    ["TAVILLY_API_KEY", "TAVILY_API_KEY"],
    ["MCP_ALLOWED_HOST", "MCP_ALLOWED_HOSTS"],
    ["CORS_ORIGIN", "CORS_ORIGINS"]
  ])("%s is near %s", (name, meant) => {
    assert.deepStrictEqual(settingWarnings([name], none), [`${name} is not a setting; did you mean ${meant}?`])
  })

  it("leave the variables of settings, the machine and other programs alone", () => {
    const others =
      "PATH HOME HOSTNAME HOSTTYPE SHELL PWD OLDPWD LANG LC_ALL TERM USER LOGNAME MAIL TZ EDITOR PORTAGE_TMPDIR POSTS " +
      "npm_config_cache npm_package_version NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS HTTP_PROXY HTTPS_PROXY NO_PROXY " +
      "SSL_CERT_FILE XAI_API_KEY OPENAI_API_KEY SERPAPI_API_KEY GOOGLE_APPLICATION_CREDENTIALS MCP_TIMEOUT " +
      "MCP_TOOL_TIMEOUT OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_HEADERS REDIS_URI KUBERNETES_SERVICE_HOST " +
      "SEARCH_SERVICE_HOST SEARCH_PORT SEARCH_PORT_8000_TCP_ADDR AWS_ENV LOG_DIR APP_URL"
    assert.deepStrictEqual(settingWarnings([...others.split(" "), ...variableNames, ...keyVariables], none), [])
  })

  it("name a key that no engine can use alone", () => {
    assert.deepStrictEqual(settingWarnings([], keys("GOOGLE_CSE_ID")), [
      "GOOGLE_CSE_ID has no effect without GOOGLE_API_KEY"
    ])
    assert.deepStrictEqual(settingWarnings([], keys("GOOGLE_API_KEY", "EXA_API_KEY")), [])
    assert.deepStrictEqual(settingWarnings([], keys("GOOGLE_API_KEY", "GOOGLE_CSE_ID")), [])
  })
})
