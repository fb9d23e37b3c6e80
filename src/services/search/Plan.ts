import { type QueryOf } from "../../domain/Query.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Candidate } from "../engine/Engines.ts"
import { type Filter } from "../engine/Engine.ts"
import { backendOf, namedEngines } from "./Backend.ts"
import { engineQueries, filtersAsked } from "./EngineQueries.ts"

/** Which engines a query may be put to, in the order in which they are asked. */
export interface Plan<K extends SearchKind> {
  readonly order: ReadonlyArray<Candidate<K>>
  /** Names of those that cannot honour what was asked. */
  readonly unsupported: ReadonlyArray<string>
  /** Whether the user named them: all are asked then, whatever rests. */
  readonly isNamed: boolean
}

/** What of the filters asked for an engine does not honour. */
const lacking = <K extends SearchKind>(
  kind: K,
  { source }: Candidate<K>,
  query: QueryOf[K],
  wanted: ReadonlyArray<Filter>
): ReadonlyArray<Filter> => {
  const lacks = source.lacks?.(engineQueries[kind](query, 0)) ?? []
  return wanted.filter((filter) => !source.honours.includes(filter) || lacks.includes(filter))
}

/** Whose index a candidate searches. */
export const indexOf = <K extends SearchKind>({ engine, source }: Candidate<K>): string => source.index ?? engine.name

/** No index a second time before every other once; stable otherwise. */
const byIndex = <K extends SearchKind>(candidates: ReadonlyArray<Candidate<K>>): ReadonlyArray<Candidate<K>> => {
  const firsts = new Map<string, Candidate<K>>()
  for (const candidate of candidates) {
    if (!firsts.has(indexOf(candidate))) firsts.set(indexOf(candidate), candidate)
  }
  const leading = new Set(firsts.values())
  return [...leading, ...candidates.filter((candidate) => !leading.has(candidate))]
}

/**
 * `auto`: those that honour all filters; where there are none, those that honour most of them first. Then by how well
 * they serve the region, by cost (sources made for programs before pages made for people), and by what they cover. An
 * engine that cannot honour `safesearch=on` is never asked under it, not even by name.
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
