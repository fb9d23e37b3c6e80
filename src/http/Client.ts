import { HttpApiClient, type HttpClient } from "@effect/platform"
import { Effect } from "effect"
import { BatchRequest, ContentQuery } from "../domain/Content.ts"
import { type Given, withDefaults } from "../domain/Defaults.ts"
import { BooksQuery, ImagesQuery, NewsQuery, TextQuery, UnifiedQuery, VideosQuery } from "../domain/Query.ts"
import { Api } from "./Api.ts"

export interface ClientOptions {
  /** Base URL of the service, without a trailing slash: `https://quarry.example.com`. */
  readonly baseUrl: string
  /** Adds headers, retries and the like. */
  readonly transformClient?: (client: HttpClient.HttpClient) => HttpClient.HttpClient
}

/**
 * Derives a client of the REST API from its definition, with one method per endpoint. Parameters with defaults are
 * optional. Answers are decoded by their Schemas, and every failure of the service is a typed error.
 */
export const restClient = (options: ClientOptions) =>
  Effect.map(HttpApiClient.make(Api, options), ({ content, info, search, unified }) => ({
    text: (query: Given<typeof TextQuery.from.fields>) => search.text({ urlParams: withDefaults(TextQuery, query) }),
    images: (query: Given<typeof ImagesQuery.from.fields>) =>
      search.images({ urlParams: withDefaults(ImagesQuery, query) }),
    videos: (query: Given<typeof VideosQuery.from.fields>) =>
      search.videos({ urlParams: withDefaults(VideosQuery, query) }),
    news: (query: Given<typeof NewsQuery.from.fields>) => search.news({ urlParams: withDefaults(NewsQuery, query) }),
    books: (query: Given<typeof BooksQuery.from.fields>) =>
      search.books({ urlParams: withDefaults(BooksQuery, query) }),
    all: (query: Given<typeof UnifiedQuery.fields>) => unified.all({ urlParams: withDefaults(UnifiedQuery, query) }),
    fetch: (query: Given<typeof ContentQuery.fields>) =>
      content.fetch({ urlParams: withDefaults(ContentQuery, query) }),
    fetchMultiple: (request: Given<typeof BatchRequest.fields>) =>
      content.fetchMultiple({ payload: withDefaults(BatchRequest, request) }),
    info: () => info.info({}),
    health: () => info.health({}),
    ready: () => info.ready({}),
    engines: () => info.engines({})
  }))
