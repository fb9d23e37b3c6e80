import { type SearchKind } from "../../../domain/SearchKind.ts"
import { archive } from "./archive.ts"
import { bing } from "./bing.ts"
import { brave } from "./brave.ts"
import { braveapi } from "./braveapi.ts"
import { dailymotion } from "./dailymotion.ts"
import { duckduckgo } from "./duckduckgo.ts"
import { ecosia } from "./ecosia.ts"
import { type Engine, type Source } from "../Engine.ts"
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
import { stackexchange } from "./stackexchange.ts"
import { startpage } from "./startpage.ts"
import { tavily } from "./tavily.ts"
import { wikimedia } from "./wikimedia.ts"
import { wikipedia } from "./wikipedia.ts"
import { yahoo } from "./yahoo.ts"
import { yandex } from "./yandex.ts"
import { youtube } from "./youtube.ts"

/**
 * All engines, one per line: first the engines that require a key on the server, then the other APIs, then the scraped
 * pages.
 */
const registered = [
  braveapi,
  googlecse,
  serper,
  tavily,
  exa,
  wikipedia,
  openverse,
  wikimedia,
  dailymotion,
  sepiasearch,
  archive,
  hackernews,
  stackexchange,
  github,
  marginalia,
  mwmbl,
  googlenews,
  gdelt,
  openlibrary,
  gutendex,
  googlebooks,
  youtube,
  mojeek,
  brave,
  duckduckgo,
  yandex,
  ecosia,
  startpage,
  bing,
  yahoo
] as const satisfies ReadonlyArray<Engine>

type Registered = (typeof registered)[number]

export type EngineName = Registered["name"]

/** Names of the engines that have a source for a kind. */
export type EngineNameOf<K extends SearchKind> = Extract<
  Registered,
  { readonly sources: Readonly<Record<K, unknown>> }
>["name"]

export const engines: ReadonlyArray<Engine> = registered

export const engineNames: ReadonlyArray<EngineName> = registered.map((engine) => engine.name)

/** Returns the engines with a source for `kind`, and that source, in the order of `among`. */
export const enginesFor = <K extends SearchKind>(
  kind: K,
  among: ReadonlyArray<Engine> = engines
): ReadonlyArray<{ readonly engine: Engine; readonly source: Source<K> }> =>
  among.flatMap((engine) => {
    const source = engine.sources[kind]
    return source === undefined ? [] : [{ engine, source }]
  })
