import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { answerSchemas, BatchAnswer, UnifiedAnswer } from "../domain/Answer.ts"
import { BatchRequest, ContentDocument, ContentQuery } from "../domain/Content.ts"
import { envelopes } from "../domain/Envelope.ts"
import { Health, Info } from "../domain/Info.ts"
import { BooksQuery, ImagesQuery, NewsQuery, TextQuery, UnifiedQuery, VideosQuery } from "../domain/Query.ts"
import { version } from "../domain/Version.ts"
import { transform } from "./OpenApiDocument.ts"
import { statuses } from "./Status.ts"

/**
 * The one definition of the REST API: validation, handlers, `/openapi.json` and the typed client derive from it. Its
 * groups are the groups of the rate limits.
 */
const text = HttpApiEndpoint.get("text", "/api/search/text")
  .setUrlParams(TextQuery)
  .addSuccess(answerSchemas.text)
  .annotate(OpenApi.Summary, "Web search")

const images = HttpApiEndpoint.get("images", "/api/search/images")
  .setUrlParams(ImagesQuery)
  .addSuccess(answerSchemas.images)
  .annotate(OpenApi.Summary, "Image search")

const videos = HttpApiEndpoint.get("videos", "/api/search/videos")
  .setUrlParams(VideosQuery)
  .addSuccess(answerSchemas.videos)
  .annotate(OpenApi.Summary, "Video search")

const news = HttpApiEndpoint.get("news", "/api/search/news")
  .setUrlParams(NewsQuery)
  .addSuccess(answerSchemas.news)
  .annotate(OpenApi.Summary, "News search")

const books = HttpApiEndpoint.get("books", "/api/search/books")
  .setUrlParams(BooksQuery)
  .addSuccess(answerSchemas.books)
  .annotate(OpenApi.Summary, "Book search")

const all = HttpApiEndpoint.get("all", "/api/search/all")
  .setUrlParams(UnifiedQuery)
  .addSuccess(UnifiedAnswer)
  .annotate(OpenApi.Summary, "Web, image, video, news and book search in parallel")

const fetch = HttpApiEndpoint.get("fetch", "/api/content/fetch")
  .setUrlParams(ContentQuery)
  .addSuccess(ContentDocument)
  .addError(envelopes.UrlNotAllowed, { status: statuses.UrlNotAllowed })
  .addError(envelopes.FetchFailed, { status: statuses.FetchFailed })
  .addError(envelopes.FetchTimedOut, { status: statuses.FetchTimedOut })
  .addError(envelopes.UnsupportedContentType, { status: statuses.UnsupportedContentType })
  .annotate(OpenApi.Summary, "Main text of one URL")

const fetchMultiple = HttpApiEndpoint.post("fetchMultiple", "/api/content/fetch-multiple")
  .setPayload(BatchRequest)
  .addSuccess(BatchAnswer)
  .addError(envelopes.MalformedJson, { status: statuses.MalformedJson })
  .addError(envelopes.UnsupportedMediaType, { status: statuses.UnsupportedMediaType })
  .addError(envelopes.PayloadTooLarge, { status: statuses.PayloadTooLarge })
  .annotate(OpenApi.Summary, "Main text of up to 10 URLs")

const info = HttpApiEndpoint.get("info", "/")
  .addSuccess(Info)
  .annotate(OpenApi.Summary, "What this API is and which endpoints it has")

const health = HttpApiEndpoint.get("health", "/health").addSuccess(Health).annotate(OpenApi.Summary, "Health check")

const openapi = HttpApiEndpoint.get("openapi", "/openapi.json")
  .addSuccess(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  .annotate(OpenApi.Summary, "This API's OpenAPI document")

const group = <const Id extends string>(id: Id, description: string) =>
  HttpApiGroup.make(id).annotate(OpenApi.Description, description)

export class Api extends HttpApi.make("quarry")
  .add(
    group("search", "Search one kind of source.")
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
    group("unified", "Search everything at once.")
      .add(all)
      .addError(envelopes.InvalidParameters, { status: statuses.InvalidParameters })
      .addError(envelopes.SearchFailed, { status: statuses.SearchFailed })
      .addError(envelopes.SearchTimedOut, { status: statuses.SearchTimedOut })
  )
  .add(
    group("content", "Read pages.")
      .add(fetch)
      .add(fetchMultiple)
      .addError(envelopes.InvalidParameters, { status: statuses.InvalidParameters })
  )
  .add(group("info", "About the service.").add(info).add(health).add(openapi))
  .addError(envelopes.RateLimitExceeded, { status: statuses.RateLimitExceeded })
  .addError(envelopes.InternalError, { status: statuses.InternalError })
  .addError(envelopes.ShuttingDown, { status: statuses.ShuttingDown })
  .annotate(OpenApi.Title, "Quarry")
  .annotate(OpenApi.Version, version)
  .annotate(
    OpenApi.Description,
    "Searches the web over many engines without API keys, and turns any URL into its clean main text."
  )
  .annotate(OpenApi.License, { name: "MIT", url: "https://opensource.org/license/mit" })
  .annotate(OpenApi.Transform, transform) {}
