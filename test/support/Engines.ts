import { Effect, Layer, Ref } from "effect"
import { rawText } from "../../src/domain/RawResult.ts"
import { type EngineFault } from "../../src/domain/Outcome.ts"
import { type SearchKind } from "../../src/domain/SearchKind.ts"
import { type Candidate, Engines } from "../../src/services/engine/Engines.ts"
import { empty, type Engine, fault, type Filter, type Parsed } from "../../src/services/engine/Engine.ts"
import { Search } from "../../src/services/search/Search.ts"
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
  readonly access?: Engine["access"]
  readonly index?: string
  readonly isSpecial?: true
  readonly poisons?: true
  readonly weight?: number
  readonly rests?: boolean
  /** When its rest ends or its next token comes, in milliseconds since 1970. */
  readonly askableAt?: number
  /** What its results say besides their titles. */
  readonly body?: string
}

/** A made-up engine as the service knows it. */
export const candidateOf = (player: Player): Candidate<"text"> => {
  const { access = "api", honours = [], index, isSpecial, name, poisons, weight = 1 } = player
  return {
    kind: "text",
    engine: { name, website: "", documentation: "", access, sources: {} },
    source: {
      weight,
      honours,
      ...(index === undefined ? {} : { index }),
      ...(isSpecial === undefined ? {} : { isSpecial }),
      ...(poisons === undefined ? {} : { returnsUnrelatedResults: poisons }),
      request: () => ({ method: "GET", url: "", persona: "program", follow: false }),
      parse: () => empty
    }
  }
}

const parsedOf = (player: Player, page: number): Parsed<"text"> | "hang" => {
  const played = player.play(page)
  if (played === "hang") return played
  if (played === "empty") return empty
  if (typeof played === "string") return fault(played)
  const items = played.map((title) =>
    rawText({ title, url: `https://example.com/${title}`, body: player.body ?? null })
  )
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
      kind !== "text" ? [] : narrowed(players.map(candidateOf)),
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
    resting: (name) => Effect.succeed(players.some((player) => player.name === name && player.rests === true)),
    restsUntil: (name) =>
      Effect.succeed(players.find((player) => player.name === name && player.rests === true)?.askableAt ?? null),
    askableAt: ({ name }) => Effect.succeed(players.find((player) => player.name === name)?.askableAt ?? null),
    distrust: (name) => Ref.update(asked, (log) => [...log, `${name} distrusted`]),
    late: () => Effect.void,
    leftOut: Effect.succeed({}),
    report: Effect.succeed([])
  })
  return Search.layer.pipe(Layer.provide([engines, testSettings(settings)]))
}

const narrowed = <K extends SearchKind>(candidates: ReadonlyArray<Candidate<"text">>): ReadonlyArray<Candidate<K>> =>
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
  candidates as unknown as ReadonlyArray<Candidate<K>>

/** Only text engines are made up here, so every kind that is asked for is text. */
const narrow = <K extends SearchKind>(parsed: Parsed<"text">): Parsed<K> =>
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
  parsed as unknown as Parsed<K>
