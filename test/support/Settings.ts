import { Layer } from "effect"
import { Settings } from "../../src/services/settings/Settings.ts"

/** The settings as the environment variables given would make them, and nothing of this machine's. */
export const testSettings = (variables: Readonly<Record<string, string>> = {}) =>
  Layer.orDie(Settings.layerOf(variables))
