import { type QueryOf } from "../../domain/Query.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Candidate } from "../engine/Engines.ts"
import { type Filter } from "../engine/Engine.ts"
import { backendOf, namedEngines } from "./Backend.ts"
import { engineQueries, filtersAsked } from "./EngineQueries.ts"

/** The engines that a query can use, in the order in which they are queried. */
export interface Plan<K extends SearchKind> {
  readonly order: ReadonlyArray<Candidate<K>>
  /** Names of engines that cannot apply the filters of the query. */
  readonly unsupported: ReadonlyArray<string>
  /** Whether the user named the engines. All of them are queried then, even resting ones. */
  readonly isNamed: boolean
}

/** The wanted filters that a candidate does not apply. */
const lacking = <K extends SearchKind>(
  kind: K,
  { source }: Candidate<K>,
  query: QueryOf[K],
  wanted: ReadonlyArray<Filter>
): ReadonlyArray<Filter> => {
  const lacks = source.lacks?.(engineQueries[kind](query, 0)) ?? []
  return wanted.filter((filter) => !source.honours.includes(filter) || lacks.includes(filter))
}

/** The name of the index that a candidate searches. */
export const indexOf = <K extends SearchKind>({ engine, source }: Candidate<K>): string => source.index ?? engine.name

/** Moves the first candidate of each index to the front. Stable otherwise. */
const byIndex = <K extends SearchKind>(candidates: ReadonlyArray<Candidate<K>>): ReadonlyArray<Candidate<K>> => {
  const firsts = new Map<string, Candidate<K>>()
  for (const candidate of candidates) {
    if (!firsts.has(indexOf(candidate))) firsts.set(indexOf(candidate), candidate)
  }
  const leading = new Set(firsts.values())
  return [...leading, ...candidates.filter((candidate) => !leading.has(candidate))]
}

/**
 * Plans a query. `auto` uses the engines that apply all filters; when there are none, it starts with those that apply
 * the most. It then orders by support for the region, by access (`api` before `page`) and by coverage (general before
 * special). The first candidate of each index is then moved to the front. An engine that cannot apply `safesearch=on`
 * is never used with it, even by name.
 */
export const planOf = <K extends SearchKind>(
  kind: K,
  candidates: ReadonlyArray<Candidate<K>>,
  query: QueryOf[K]
): Plan<K> => {
  const named = namedEngines(backendOf(query))
  const wanted = filtersAsked(query)
  const judged = candidates
    .filter(({ engine }) => named === null || named.includes(engine.name))
    .map((candidate) => ({
      candidate,
      lacks: lacking(kind, candidate, query, wanted),
      lacksRegion: lacking(kind, candidate, query, ["region"]).length
    }))
  const allowed = judged.filter(({ lacks }) => !lacks.includes("safesearch"))
  const able = allowed.filter(({ lacks }) => lacks.length === 0)
  const chosen = named !== null || able.length === 0 ? allowed : able
  const isLocal = "region" in query && query.region !== "us-en" && query.region !== "wt-wt"
  const cost = ({ engine, source }: Candidate<K>) =>
    (engine.access === "page" ? 2 : 0) + (source.isSpecial === true ? 1 : 0)
  const order =
    named !== null
      ? chosen.map(({ candidate }) => candidate)
      : byIndex(
          chosen
            .toSorted(
              (one, other) =>
                one.lacks.length - other.lacks.length ||
                (isLocal ? one.lacksRegion - other.lacksRegion : 0) ||
                cost(one.candidate) - cost(other.candidate)
            )
            .map(({ candidate }) => candidate)
        )
  return {
    order,
    unsupported: judged.filter((one) => !chosen.includes(one)).map(({ candidate }) => candidate.engine.name),
    isNamed: named !== null
  }
}
