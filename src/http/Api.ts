import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { answerSchemas, BatchAnswer, UnifiedAnswer } from "../domain/Answer.ts"
import { BatchRequest, ContentDocument, ContentQuery } from "../domain/Content.ts"
import { envelopes } from "../domain/Envelope.ts"
import { EngineList, Health, Info, Ready } from "../domain/Info.ts"
import { BooksQuery, ImagesQuery, NewsQuery, TextQuery, UnifiedQuery, VideosQuery } from "../domain/Query.ts"
import { version } from "../domain/Version.ts"
import { introduction } from "./OpenApi/Introduction.ts"
import { transform } from "./OpenApiDocument.ts"
import { statuses } from "./Status.ts"

const text = HttpApiEndpoint.get("text", "/api/search/text")
  .setUrlParams(TextQuery)
  .addSuccess(answerSchemas.text)
  .annotate(OpenApi.Summary, "Web search")
  .annotate(
    OpenApi.Description,
    "Asks several web search engines in parallel and fuses their rankings into one. Page on with `page`; narrow with `region`, `timelimit` and `safesearch`; choose engines with `backend`."
  )

const images = HttpApiEndpoint.get("images", "/api/search/images")
  .setUrlParams(ImagesQuery)
  .addSuccess(answerSchemas.images)
  .annotate(OpenApi.Summary, "Image search")
  .annotate(
    OpenApi.Description,
    "Finds pictures and the pages that show them. Filters for size, colour, type and proportions are passed on to the engines that know them; the others are listed as `unsupported` in `sources`."
  )

const videos = HttpApiEndpoint.get("videos", "/api/search/videos")
  .setUrlParams(VideosQuery)
  .addSuccess(answerSchemas.videos)
  .annotate(OpenApi.Summary, "Video search")
  .annotate(
    OpenApi.Description,
    "Finds videos with their duration, views and an embeddable player where the engine tells."
  )

const news = HttpApiEndpoint.get("news", "/api/search/news")
  .setUrlParams(NewsQuery)
  .addSuccess(answerSchemas.news)
  .annotate(OpenApi.Summary, "News search")
  .annotate(
    OpenApi.Description,
    "Finds news articles with their publication and date, relative dates resolved to ISO 8601 UTC."
  )

const books = HttpApiEndpoint.get("books", "/api/search/books")
  .setUrlParams(BooksQuery)
  .addSuccess(answerSchemas.books)
  .annotate(OpenApi.Summary, "Book search")
  .annotate(
    OpenApi.Description,
    "Finds books by title, author or subject, with authors, publisher, year, languages and ISBN where they are known."
  )

const all = HttpApiEndpoint.get("all", "/api/search/all")
  .setUrlParams(UnifiedQuery)
  .addSuccess(UnifiedAnswer)
  .annotate(OpenApi.Summary, "Web, image, video, news and book search in parallel")
  .annotate(
    OpenApi.Description,
    "Runs all five searches at once and answers one flat list, in which `type` says what an item is. A kind that fails is told of in `sources` and never fails the rest."
  )

const fetch = HttpApiEndpoint.get("fetch", "/api/content/fetch")
  .setUrlParams(ContentQuery)
  .addSuccess(ContentDocument)
  .addError(envelopes.UrlNotAllowed, { status: statuses.UrlNotAllowed })
  .addError(envelopes.FetchFailed, { status: statuses.FetchFailed })
  .addError(envelopes.FetchTimedOut, { status: statuses.FetchTimedOut })
  .addError(envelopes.UnsupportedContentType, { status: statuses.UnsupportedContentType })
  .annotate(OpenApi.Summary, "Main text of one URL")
  .annotate(
    OpenApi.Description,
    "Fetches the page and answers its main text without menus, advertisements and the like, and what it says about itself. A long text comes in pieces: ask again with `offset` set to the last answer's `next_offset`."
  )

const fetchMultiple = HttpApiEndpoint.post("fetchMultiple", "/api/content/fetch-multiple")
  .setPayload(BatchRequest)
  .addSuccess(BatchAnswer)
  .addError(envelopes.MalformedJson, { status: statuses.MalformedJson })
  .addError(envelopes.UnsupportedMediaType, { status: statuses.UnsupportedMediaType })
  .addError(envelopes.PayloadTooLarge, { status: statuses.PayloadTooLarge })
  .annotate(OpenApi.Summary, "Main text of up to 10 URLs")
  .annotate(
    OpenApi.Description,
    "Fetches all of them in parallel and answers one entry per URL, in the order asked: the text, or the error that the single endpoint would have answered with. One URL failing never fails the rest, and the batch counts as one request."
  )

const info = HttpApiEndpoint.get("info", "/")
  .addSuccess(Info)
  .annotate(OpenApi.Summary, "What this API is and which endpoints it has")
  .annotate(
    OpenApi.Description,
    "Where to begin: name, version, endpoints, rate limits and the paths of the documentation."
  )

const health = HttpApiEndpoint.get("health", "/health")
  .addSuccess(Health)
  .annotate(OpenApi.Summary, "Health check")
  .annotate(
    OpenApi.Description,
    "Always 200 while the process serves. `degraded` means that a kind of search has no usable engine: it has none, or all of them rest."
  )

const ready = HttpApiEndpoint.get("ready", "/ready")
  .addSuccess(Ready)
  .addError(envelopes.NotReady, { status: statuses.NotReady })
  .annotate(OpenApi.Summary, "Readiness check")
  .annotate(
    OpenApi.Description,
    "200 while every kind of search has a usable engine, else 503 with the kinds that have none. For load balancers that should send searches elsewhere."
  )

const engines = HttpApiEndpoint.get("engines", "/api/engines")
  .addSuccess(EngineList)
  .annotate(OpenApi.Summary, "The engines, what they can do and how they fare")
  .annotate(
    OpenApi.Description,
    "Every engine of this server with its kinds, the filters that reach it, how it has answered since the start, and why it rests where it does. Engines that need a key are listed only where it is set."
  )

const openapi = HttpApiEndpoint.get("openapi", "/openapi.json")
  .addSuccess(
    Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({ description: "OpenAPI 3.1, as JSON." })
  )
  .annotate(OpenApi.Summary, "This API's OpenAPI document")
  .annotate(OpenApi.Description, "The document that the pages at `/docs` and `/redoc` are made from.")

const group = <const Id extends string>(id: Id, description: string) =>
  HttpApiGroup.make(id).annotate(OpenApi.Description, description)

/**
 * The single definition of the REST API. Validation, handlers, `/openapi.json` and the typed client derive from it. Its
 * groups are the rate-limit groups.
 */
export class Api extends HttpApi.make("quarry")
  .add(
    group("search", "Search one kind of source: the web, images, videos, news or books. The five share one budget.")
      .add(text)
      .add(images)
      .add(videos)
      .add(news)
      .add(books)
      .addError(envelopes.InvalidParameters, { status: statuses.InvalidParameters })
      .addError(envelopes.SearchFailed, { status: statuses.SearchFailed })
      .addError(envelopes.SearchTimedOut, { status: statuses.SearchTimedOut })
  )
  .add(
    group("unified", "Search all five kinds at once.")
      .add(all)
      .addError(envelopes.InvalidParameters, { status: statuses.InvalidParameters })
      .addError(envelopes.SearchFailed, { status: statuses.SearchFailed })
      .addError(envelopes.SearchTimedOut, { status: statuses.SearchTimedOut })
  )
  .add(
    group("content", "Read pages: the main text of any http(s) URL, as plain text, Markdown or HTML.")
      .add(fetch)
      .add(fetchMultiple)
      .addError(envelopes.InvalidParameters, { status: statuses.InvalidParameters })
  )
  .add(
    group("info", "About the service: what it offers, whether it is well, and this document.")
      .add(info)
      .add(health)
      .add(ready)
      .add(engines)
      .add(openapi)
  )
  .addError(envelopes.Unauthorized, { status: statuses.Unauthorized })
  .addError(envelopes.RateLimitExceeded, { status: statuses.RateLimitExceeded })
  .addError(envelopes.InternalError, { status: statuses.InternalError })
  .addError(envelopes.ShuttingDown, { status: statuses.ShuttingDown })
  .annotate(OpenApi.Title, "Quarry")
  .annotate(OpenApi.Version, version)
  .annotate(OpenApi.Description, introduction)
  .annotate(OpenApi.License, { name: "MIT", url: "https://opensource.org/license/mit" })
  .annotate(OpenApi.Transform, transform) {}
