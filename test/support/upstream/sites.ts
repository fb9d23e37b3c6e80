import { type SearchKind, searchKinds } from "../../../src/domain/SearchKind.ts"
import { archive } from "./archive.ts"
import { bing } from "./bing.ts"
import { brave } from "./brave.ts"
import { braveapi } from "./braveapi.ts"
import { dailymotion } from "./dailymotion.ts"
import { duckduckgo } from "./duckduckgo.ts"
import { ecosia } from "./ecosia.ts"
import { exa } from "./exa.ts"
import { gdelt } from "./gdelt.ts"
import { github } from "./github.ts"
import { googlebooks } from "./googlebooks.ts"
import { googlecse } from "./googlecse.ts"
import { googlenews } from "./googlenews.ts"
import { gutendex } from "./gutendex.ts"
import { hackernews } from "./hackernews.ts"
import { marginalia } from "./marginalia.ts"
import { mojeek } from "./mojeek.ts"
import { mwmbl } from "./mwmbl.ts"
import { openlibrary } from "./openlibrary.ts"
import { openverse } from "./openverse.ts"
import { sepiasearch } from "./sepiasearch.ts"
import { serper } from "./serper.ts"
import { type Asked, type Service, type Site } from "./Site.ts"
import { stackexchange } from "./stackexchange.ts"
import { startpage } from "./startpage.ts"
import { tavily } from "./tavily.ts"
import { wikimedia } from "./wikimedia.ts"
import { wikipedia } from "./wikipedia.ts"
import { yahoo } from "./yahoo.ts"
import { yandex } from "./yandex.ts"
import { youtube } from "./youtube.ts"

/** The upstream services that the test web plays, by engine. */
export const sites = {
  duckduckgo,
  mojeek,
  wikipedia,
  bing,
  yahoo,
  openverse,
  dailymotion,
  sepiasearch,
  googlenews,
  hackernews,
  openlibrary,
  gutendex,
  stackexchange,
  github,
  marginalia,
  mwmbl,
  yandex,
  ecosia,
  brave,
  startpage,
  wikimedia,
  youtube,
  archive,
  gdelt,
  googlebooks,
  braveapi,
  googlecse,
  tavily,
  exa,
  serper
} as const satisfies Record<string, Site>

export type Upstream = keyof typeof sites

export const isUpstream = (name: string): name is Upstream => Object.hasOwn(sites, name)

export const upstreams: ReadonlyArray<Upstream> = Object.keys(sites).filter(isUpstream)

const matches = (pattern: string, host: string): boolean =>
  pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : pattern === host

/** Who serves a host; null for a host that the test web does not play. */
export const upstreamAt = (host: string): Upstream | null =>
  upstreams.find((name) => sites[name].hosts.some((pattern) => matches(pattern, host.toLowerCase()))) ?? null

/** What of an engine a request is for; null where it has nothing. */
export const serviceAt = (engine: Upstream, asked: Asked): Service | null => {
  const services: ReadonlyArray<Service> = sites[engine].services
  const serves = (path: string) =>
    path.endsWith("*") ? asked.url.pathname.startsWith(path.slice(0, -1)) : asked.url.pathname === path
  return services.find(({ paths, when }) => paths.some(serves) && (when === undefined || when(asked))) ?? null
}

export const kindsOf = (engine: Upstream): ReadonlyArray<SearchKind> => sites[engine].services.map(({ kind }) => kind)

const needsKey = (name: Upstream): boolean => {
  const site: Site = sites[name]
  return site.needsKey === true
}

/** The engines that need no key. */
export const keyless: ReadonlyArray<Upstream> = upstreams.filter((name) => !needsKey(name))

/** The engines of a kind that need no key. */
export const upstreamsOf = (kind: SearchKind): ReadonlyArray<Upstream> =>
  keyless.filter((name) => kindsOf(name).includes(kind))

/** Every engine that needs no key with each of its kinds. */
export const everySource = searchKinds.flatMap((kind) => upstreamsOf(kind).map((engine) => ({ engine, kind })))

/** The same outcome for every engine of a kind. */
export const allOf = (kind: SearchKind, outcome: string): Readonly<Record<string, string>> =>
  Object.fromEntries(upstreamsOf(kind).map((name) => [name, outcome]))
