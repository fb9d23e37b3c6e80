import { type SearchKind } from "../../../src/domain/SearchKind.ts"
import { bing } from "./bing.ts"
import { dailymotion } from "./dailymotion.ts"
import { duckduckgo } from "./duckduckgo.ts"
import { googlenews } from "./googlenews.ts"
import { gutendex } from "./gutendex.ts"
import { hackernews } from "./hackernews.ts"
import { mojeek } from "./mojeek.ts"
import { openlibrary } from "./openlibrary.ts"
import { openverse } from "./openverse.ts"
import { sepiasearch } from "./sepiasearch.ts"
import { type Site } from "./Site.ts"
import { wikipedia } from "./wikipedia.ts"

/** The upstream services that the test web plays, by engine. */
export const sites = {
  duckduckgo,
  mojeek,
  wikipedia,
  bing,
  openverse,
  dailymotion,
  sepiasearch,
  googlenews,
  hackernews,
  openlibrary,
  gutendex
} as const satisfies Record<string, Site>

export type Upstream = keyof typeof sites

const isUpstream = (name: string): name is Upstream => Object.hasOwn(sites, name)

export const upstreams: ReadonlyArray<Upstream> = Object.keys(sites).filter(isUpstream)

const matches = (pattern: string, host: string): boolean =>
  pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : pattern === host

/** Who serves a host; null for a host that the test web does not play. */
export const upstreamAt = (host: string): Upstream | null =>
  upstreams.find((name) => sites[name].hosts.some((pattern) => matches(pattern, host.toLowerCase()))) ?? null

/** The same outcome for every engine of a kind. */
export const allOf = (kind: SearchKind, outcome: string): Readonly<Record<string, string>> =>
  Object.fromEntries(upstreams.filter((name) => sites[name].kind === kind).map((name) => [name, outcome]))
