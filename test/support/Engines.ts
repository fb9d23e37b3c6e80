import { Effect, Layer, Ref } from "effect"
import { textFound } from "../../src/domain/Found.ts"
import { type EngineFault } from "../../src/domain/Outcome.ts"
import { type SearchKind } from "../../src/domain/SearchKind.ts"
import { type Candidate, Engines } from "../../src/services/Engines.ts"
import { empty, fault, type Filter, type Parsed } from "../../src/services/Engines/Engine.ts"
import { Search } from "../../src/services/Search.ts"
import { testSettings } from "./Settings.ts"

/** What a made-up engine does with its page p: titles, nothing, a fault, or silence. */
export type Play = (page: number) => ReadonlyArray<string> | "empty" | "hang" | EngineFault

export interface Player {
  readonly name: string
  readonly play: Play
  /** Milliseconds an answer takes. */
  readonly delay?: number
  readonly pages?: number
  readonly honours?: ReadonlyArray<Filter>
}

const parsedOf = (player: Player, page: number): Parsed<"text"> | "hang" => {
  const played = player.play(page)
  if (played === "hang") return played
  if (played === "empty") return empty
  if (typeof played === "string") return fault(played)
  const items = played.map((title) => textFound({ title, url: `https://example.com/${title}` }))
  return {
    _tag: "Results",
    items: items.filter((item) => item !== null),
    next: page < (player.pages ?? 1) ? { page: page + 1, form: null } : null
  }
}

/** The search service over made-up text engines, and the log of what was asked: `name:page`. */
export const searchOver = (
  players: ReadonlyArray<Player>,
  asked: Ref.Ref<ReadonlyArray<string>>,
  settings: Readonly<Record<string, string>> = {}
) => {
  const engines = Layer.succeed(Engines, {
    forKind: <K extends SearchKind>(kind: K): ReadonlyArray<Candidate<K>> =>
      kind !== "text"
        ? []
        : players.map(({ honours = [], name }) => ({
            kind,
            engine: { name, website: "", documentation: "", access: "api" as const, sources: {} },
            source: {
              weight: 1,
              honours,
              request: () => ({ method: "GET" as const, url: "", persona: "program" as const, follow: false }),
              parse: () => empty
            }
          })),
    ask: ({ engine: { name } }, _query, cursor, { timeoutMs }) =>
      Effect.gen(function* () {
        yield* Ref.update(asked, (log) => [...log, `${name}:${cursor.page}`])
        const player = players.find((one) => one.name === name)
        const parsed = player === undefined ? "hang" : parsedOf(player, cursor.page)
        if (parsed === "hang") {
          yield* Effect.sleep(timeoutMs)
          return { parsed: fault("timeout"), tookMs: timeoutMs, fromCache: false }
        }
        const tookMs = player?.delay ?? 0
        yield* Effect.sleep(tookMs)
        return { parsed: narrow(parsed), tookMs, fromCache: false }
      }),
    resting: () => Effect.succeed(false),
    distrust: () => Effect.void,
    report: Effect.succeed([])
  })
  return Search.layer.pipe(Layer.provide([engines, testSettings(settings)]))
}

/** Only text engines are made up here, so every kind that is asked for is text. */
const narrow = <K extends SearchKind>(parsed: Parsed<"text">): Parsed<K> =>
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
  parsed as unknown as Parsed<K>
