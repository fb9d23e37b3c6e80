import { Layer } from "effect"
import { Content } from "./Content.ts"
import { EngineClient } from "./EngineClient.ts"
import { EngineHealth } from "./EngineHealth.ts"
import { EnginePages } from "./EnginePages.ts"
import { Engines } from "./Engines.ts"
import { type Engine } from "./Engines/Engine.ts"
import { engines } from "./Engines/registry.ts"
import { Extractor } from "./Extractor.ts"
import { Fetcher } from "./Fetcher.ts"
import { Health } from "./Health.ts"
import { RateLimiter } from "./RateLimiter.ts"
import { RateLimiterStore } from "./RateLimiter/Store.ts"
import { Search } from "./Search.ts"

/** Everything that Quarry does, over its settings and these engines: what every interface is put on. */
export const servicesOf = (list: ReadonlyArray<Engine>) =>
  Layer.mergeAll(
    Search.layer,
    Health.layer,
    Content.layer.pipe(Layer.provide([Fetcher.layer, Extractor.layer])),
    RateLimiter.layer.pipe(Layer.provide(RateLimiterStore.layerMemory()))
  ).pipe(
    Layer.provideMerge(Engines.layerOf(list)),
    Layer.provide([EngineClient.layer, EngineHealth.layerMemory, EnginePages.layerMemory()])
  )

/** The same with the engines of the registry. */
export const services = servicesOf(engines)
