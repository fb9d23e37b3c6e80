import { Rpc, RpcGroup, RpcMiddleware } from "@effect/rpc"
import { Schema } from "effect"
import { answerSchemas, BatchAnswer, KindAnswer, UnifiedAnswer } from "../domain/Answer.ts"
import { BatchRequest, ContentDocument, ContentQuery } from "../domain/Content.ts"
import {
  FetchFailed,
  FetchTimedOut,
  InternalError,
  InvalidParameters,
  NotReady,
  RateLimitExceeded,
  SearchFailed,
  SearchTimedOut,
  UnsupportedContentType,
  UrlNotAllowed
} from "../domain/Failure.ts"
import { EngineList, Health, Ready } from "../domain/Info.ts"
import { BooksQuery, ImagesQuery, NewsQuery, TextQuery, UnifiedQuery, VideosQuery } from "../domain/Query.ts"
import { ofBody, ofQuery } from "./Rpc/Payload.ts"

const SearchFailure = Schema.Union(InvalidParameters, SearchFailed, SearchTimedOut)
const ContentFailure = Schema.Union(
  InvalidParameters,
  UrlNotAllowed,
  FetchFailed,
  FetchTimedOut,
  UnsupportedContentType
)

/**
 * Middleware of every call. Declares the failures common to all calls: an exceeded budget, and `InternalError` in place
 * of a defect.
 */
export class Calls extends RpcMiddleware.Tag<Calls>()("quarry/http/Rpc/Calls", {
  failure: Schema.Union(RateLimitExceeded, InternalError),
  wrap: true
}) {}

const unified = ofQuery(UnifiedQuery, UnifiedQuery)

/**
 * The procedures at `/rpc` (HTTP, ndjson). They have the names, parameters, answers and failures of the REST API.
 * `searchAll` also streams each kind of a unified search as soon as that kind is complete. Server and clients share
 * this definition, which imports no server code.
 */
export class Procedures extends RpcGroup.make(
  Rpc.make("text", { payload: ofQuery(TextQuery.from, TextQuery), success: answerSchemas.text, error: SearchFailure }),
  Rpc.make("images", {
    payload: ofQuery(ImagesQuery.from, ImagesQuery),
    success: answerSchemas.images,
    error: SearchFailure
  }),
  Rpc.make("videos", {
    payload: ofQuery(VideosQuery.from, VideosQuery),
    success: answerSchemas.videos,
    error: SearchFailure
  }),
  Rpc.make("news", { payload: ofQuery(NewsQuery.from, NewsQuery), success: answerSchemas.news, error: SearchFailure }),
  Rpc.make("books", {
    payload: ofQuery(BooksQuery.from, BooksQuery),
    success: answerSchemas.books,
    error: SearchFailure
  }),
  Rpc.make("all", { payload: unified, success: UnifiedAnswer, error: SearchFailure }),
  Rpc.make("searchAll", { payload: unified, success: KindAnswer, error: SearchFailure, stream: true }),
  Rpc.make("fetch", {
    payload: ofQuery(ContentQuery, ContentQuery),
    success: ContentDocument,
    error: ContentFailure
  }),
  Rpc.make("fetchMultiple", {
    payload: ofBody(BatchRequest, BatchRequest),
    success: BatchAnswer,
    error: InvalidParameters
  }),
  Rpc.make("health", { success: Health }),
  Rpc.make("ready", { success: Ready, error: NotReady }),
  Rpc.make("engines", { success: EngineList })
).middleware(Calls) {}
