import { ConfigProvider, Layer } from "effect"
import { Settings } from "../../src/services/Settings.ts"

/** The settings as the environment variables given would make them, and nothing of this machine's. */
export const testSettings = (variables: Readonly<Record<string, string>> = {}) =>
  Settings.layer.pipe(
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))),
    Layer.orDie
  )
