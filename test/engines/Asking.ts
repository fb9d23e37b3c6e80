import { existsSync, readFileSync } from "node:fs"
import { regionOf } from "../../src/domain/Region.ts"
import { type SearchKind } from "../../src/domain/SearchKind.ts"
import { readAnswer } from "../../src/services/engine/runtime/ParsedAnswer.ts"
import {
  type Cursor,
  type EngineAnswer,
  type EngineQuery,
  type EngineRequest,
  firstPage,
  type Reading,
  type Source
} from "../../src/services/engine/Engine.ts"

export const fixtures = new URL("./fixtures/", import.meta.url)

export const fixture = (name: string): string => readFileSync(new URL(name, fixtures), "utf8")

/** `<engine>/<kind>[.<variant>].<html|json|xml>`, or one `<variant>` for all kinds; null when there is none. */
export const findFixture = (engine: string, kind: SearchKind, variant = ""): string | null =>
  [`${kind}${variant}`, variant.slice(1)]
    .flatMap((name) => ["html", "json", "xml"].map((ending) => `${engine}/${name}.${ending}`))
    .find((name) => existsSync(new URL(name, fixtures))) ?? null

/** 26 July 2026, noon UTC. */
export const now = Date.UTC(2026, 6, 26, 12)

type Whole = EngineQuery<"images"> & EngineQuery<"videos">

/** A query with every filter a kind can have; the default region, nothing narrowed. */
export const query = (given: Partial<Omit<Whole, "region">> & { readonly region?: string } = {}): Whole => ({
  text: "red panda",
  safesearch: "moderate",
  timelimit: null,
  now,
  size: null,
  color: null,
  type_image: null,
  layout: null,
  resolution: null,
  duration: null,
  license_videos: null,
  ...given,
  region: regionOf(given.region ?? "us-en")
})

export const answer = (body: string, given: Partial<EngineAnswer> = {}): EngineAnswer => ({
  status: 200,
  headers: {},
  url: "https://engine.example/",
  body,
  ...given
})

/** An answer to a source's own request, read as the runtime reads it. */
export const read = <K extends SearchKind>(
  source: Source<K>,
  body: string,
  given: Partial<EngineAnswer> = {},
  asked: EngineQuery<K> = query(),
  cursor: Cursor = firstPage
): Reading<K> => readAnswer(source, answer(body, { url: source.request(asked, cursor).url, ...given }), asked, cursor)

export const itemsOf = <K extends SearchKind>(parsed: Reading<K>) => (parsed._tag === "Results" ? parsed.items : [])

export const nextOf = <K extends SearchKind>(parsed: Reading<K>): Cursor | null =>
  parsed._tag === "Results" ? parsed.next : null

/** `ok`, `empty`, `step` or the fault. */
export const outcomeOf = <K extends SearchKind>(parsed: Reading<K>): string =>
  parsed._tag === "Fault" ? parsed.fault : parsed._tag === "Results" ? "ok" : parsed._tag.toLowerCase()

/** The cursor that a step leads to. */
export const stepOf = <K extends SearchKind>(parsed: Reading<K>): Cursor => {
  if (parsed._tag !== "Step") throw new Error(`It is no step but ${outcomeOf(parsed)}.`)
  return parsed.cursor
}

const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/**
 * The parameters of a request by name, those of the form and the members of a JSON body included; repeated ones joined
 * with a space.
 */
export const sent = ({ form = [], json, params = [] }: EngineRequest): Record<string, string> =>
  [...params, ...form, ...Object.entries(json ?? {}).map(([name, value]) => [name, plain(value)] as const)].reduce<
    Record<string, string>
  >((all, [name, value]) => ({ ...all, [name]: name in all ? `${all[name]} ${value}` : value }), {})

/** Where the first page of results is asked for: past the engine's step, if it has one. */
export const begin = <K extends SearchKind>(engine: string, kind: K, source: Source<K>): Cursor => {
  const page = findFixture(engine, kind, ".step")
  return page === null ? firstPage : stepOf(read(source, fixture(page)))
}
