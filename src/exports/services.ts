/** `quarry/services`: Quarry's Effect services with their Layers. */
export { Caller } from "../services/rate-limiter/Caller.ts"
export { Content } from "../services/content/Content.ts"
export { EngineClient, EngineUnreachable } from "../services/engine/runtime/client/EngineClient.ts"
export { EngineHealth, type AttemptResult } from "../services/engine/runtime/health/EngineHealth.ts"
export { type Admission, type EngineState, type Ticket } from "../services/engine/runtime/health/State.ts"
export { type EnginePage, EnginePages, type PageKey } from "../services/engine/runtime/EnginePages.ts"
export { type AskOptions, type Candidate, Engines, type Reply } from "../services/engine/Engines.ts"
export * from "../services/engine/Engine.ts"
export { type EngineName, engineNames, engines } from "../services/engine/catalogue/registry.ts"
export { Extractor } from "../services/extractor/Extractor.ts"
export {
  type Busy,
  type Extracted,
  type NoText,
  type Piece,
  type RawDocument,
  type ReadFailure,
  type Undecoded,
  type Unreadable
} from "../services/extractor/dom/Document.ts"
export { plainBytes } from "../services/extractor/worker/PlainBytes.ts"
export { Fetcher, type Fetched } from "../services/fetcher/Fetcher.ts"
export { Health } from "../services/health/Health.ts"
export { logging } from "../services/logging/Logging.ts"
export { type Budget, RateLimiter } from "../services/rate-limiter/RateLimiter.ts"
export { RateLimiterStore } from "../services/rate-limiter/Store.ts"
export { Search } from "../services/search/Search.ts"
export { services, servicesOf } from "../services/Services.ts"
export { Settings, type SettingsShape } from "../services/settings/Settings.ts"
