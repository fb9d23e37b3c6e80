import { type FileSystem } from "@effect/platform"
import { type PlatformError } from "@effect/platform/Error"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { ConfigError, Data, Effect, Layer } from "effect"
import { parseArgs } from "node:util"
import { lines, stopWith } from "../../src/launch.ts"
import { EngineClient } from "../../src/services/engine/runtime/client/EngineClient.ts"
import { type EngineHealth } from "../../src/services/engine/runtime/health/EngineHealth.ts"
import { type Engine } from "../../src/services/engine/Engine.ts"
import { engineNames, engines } from "../../src/services/engine/catalogue/registry.ts"
import { logging } from "../../src/services/logging/Logging.ts"
import { Settings } from "../../src/services/settings/Settings.ts"
import { hasItsKeys } from "../../src/services/settings/EngineKeys.ts"
import { unrested } from "./Ask.ts"
import { usualFolder } from "./Fixtures.ts"

/** The tool was called wrongly. */
export class WrongUse extends Data.TaggedError("WrongUse")<{ readonly message: string }> {}

/** What stands behind the tool's name: `bundled.mjs` and the entry come first. */
export const commandLine = Effect.try({
  try: () =>
    parseArgs({
      args: process.argv.slice(3),
      allowPositionals: true,
      options: { fixtures: { type: "string", default: usualFolder }, force: { type: "boolean", default: false } }
    }),
  catch: (cause) => new WrongUse({ message: cause instanceof Error ? cause.message : String(cause) })
})

const isUsable = (engine: Engine) =>
  Effect.map(
    Settings,
    ({ engineKeys, enginesDisabled }) => !enginesDisabled.has(engine.name) && hasItsKeys(engine, engineKeys)
  )

/** The engine of that name, when it is enabled and has its keys. */
export const engineNamed = Effect.fnUntraced(function* (name: string) {
  const engine = engines.find((one) => one.name === name.toLowerCase())
  if (engine === undefined)
    return yield* new WrongUse({ message: `there is no engine ${name}; there are ${engineNames.join(", ")}` })
  if (yield* isUsable(engine)) return engine
  const needed = engine.keys?.required === true ? `set ${engine.keys.variables.join(" and ")}` : "it is disabled"
  return yield* new WrongUse({ message: `${engine.name} cannot be asked: ${needed}` })
})

/** Those that are enabled and have their keys, in the order of the registry. */
export const usableEngines = Effect.filter(engines, isUsable)

const foundation = Layer.mergeAll(EngineClient.layer, unrested, NodeContext.layer).pipe(
  Layer.provideMerge(logging),
  Layer.provideMerge(Settings.layer)
)

/** Runs a tool to its end: exit code 1 where it answers false, or stops with a line on stderr. */
export const runTool = (
  tool: Effect.Effect<boolean, WrongUse | PlatformError, Settings | EngineClient | EngineHealth | FileSystem.FileSystem>
) =>
  NodeRuntime.runMain(
    tool.pipe(
      Effect.provide(foundation),
      Effect.catchIf(ConfigError.isConfigError, (error) => stopWith(...lines(error))),
      Effect.catchTags({
        WrongUse: ({ message }) => stopWith(message),
        BadArgument: ({ message }) => stopWith(message),
        SystemError: ({ message }) => stopWith(message)
      }),
      Effect.filterOrFail(
        (isWell) => isWell,
        () => "not well" as const
      )
    ),
    { disableErrorReporting: true, disablePrettyLogger: true }
  )
