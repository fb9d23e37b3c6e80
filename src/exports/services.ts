/** `quarry/services`: what Quarry does, as Effect services with their Layers. */
export { Caller } from "../services/Caller.ts"
export { Content } from "../services/Content.ts"
export { EngineClient, EngineUnreachable } from "../services/EngineClient.ts"
export { EngineHealth, type Told } from "../services/EngineHealth.ts"
export { type Admission, type EngineState, type Ticket } from "../services/EngineHealth/State.ts"
export { type EnginePage, EnginePages, type PageKey } from "../services/EnginePages.ts"
export { type Asking, type Candidate, Engines, type Reply } from "../services/Engines.ts"
export * from "../services/Engines/Engine.ts"
export { type EngineName, engineNames, engines } from "../services/Engines/registry.ts"
export { Extractor } from "../services/Extractor.ts"
export {
  type Busy,
  type Extracted,
  type NoText,
  type Piece,
  type RawDocument,
  type ReadFailure,
  type Undecoded,
  type Unreadable
} from "../services/Extractor/Document.ts"
export { plainBytes } from "../services/Extractor/PlainBytes.ts"
export { Fetcher, type Fetched } from "../services/Fetcher.ts"
export { Health } from "../services/Health.ts"
export { logging } from "../services/Logging.ts"
export { type Budget, RateLimiter } from "../services/RateLimiter.ts"
export { RateLimiterStore } from "../services/RateLimiter/Store.ts"
export { Search } from "../services/Search.ts"
export { services, servicesOf } from "../services/Services.ts"
export { Settings, type SettingsShape } from "../services/Settings.ts"
