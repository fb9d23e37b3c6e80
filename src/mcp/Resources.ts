import { type ReadResourceResult } from "@modelcontextprotocol/server"
import { Effect, Schema } from "effect"
import { EngineList, engineListOf } from "../domain/Info.ts"
import { Engines } from "../services/Engines.ts"

export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly read: Effect.Effect<ReadResourceResult>
}

/** What can be read beside the tools: what `GET /api/engines` answers. */
export const makeResources = Effect.gen(function* () {
  const { report } = yield* Engines
  const encode = Schema.encode(Schema.parseJson(EngineList))
  const uri = "quarry://engines"
  const mimeType = "application/json"

  const resources: ReadonlyArray<Resource> = [
    {
      uri,
      name: "engines",
      title: "Engines",
      description: "Every engine: its kinds and filters, how it has answered, and why it rests.",
      mimeType,
      read: Effect.map(
        Effect.orDie(Effect.flatMap(report, (engines) => encode(engineListOf(engines)))),
        (text): ReadResourceResult => ({ contents: [{ uri, mimeType, text }] })
      )
    }
  ]
  return resources
})
