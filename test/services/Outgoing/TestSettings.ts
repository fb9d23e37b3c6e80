import { ConfigProvider, Layer } from "effect"
import { Settings } from "../../../src/services/Settings.ts"

/** Settings as the environment would give them. */
export const testSettings = (environment: Readonly<Record<string, string>>) =>
  Layer.provide(Settings.layer, Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))))
