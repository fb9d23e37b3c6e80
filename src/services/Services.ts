import { Layer } from "effect"
import { Content } from "./content/Content.ts"
import { EngineClient } from "./engine/runtime/client/EngineClient.ts"
import { EngineHealth } from "./engine/runtime/health/EngineHealth.ts"
import { EnginePages } from "./engine/runtime/EnginePages.ts"
import { Engines } from "./engine/Engines.ts"
import { type Engine } from "./engine/Engine.ts"
import { engines } from "./engine/catalogue/registry.ts"
import { Extractor } from "./extractor/Extractor.ts"
import { Fetcher } from "./fetcher/Fetcher.ts"
import { Health } from "./health/Health.ts"
import { RateLimiter } from "./rate-limiter/RateLimiter.ts"
import { RateLimiterStore } from "./rate-limiter/Store.ts"
import { Search } from "./search/Search.ts"

/** Provides all services for these engines, from the settings. Every interface is built on them. */
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

/** Provides all services for the engines of the registry. */
export const services = servicesOf(engines)
