import { HttpApiClient, type HttpClient } from "@effect/platform"
import { Effect, type Schema } from "effect"
import { BatchRequest, ContentQuery } from "../domain/Content.ts"
import { BooksQuery, ImagesQuery, NewsQuery, TextQuery, UnifiedQuery, VideosQuery } from "../domain/Query.ts"
import { Api } from "./Api.ts"

/** What a caller gives: whatever has a default may be left out. */
type Given<Struct extends { readonly fields: Schema.Struct.Fields }> = Schema.Simplify<
  Schema.Struct.Constructor<Struct["fields"]>
>

export interface ClientOptions {
  /** Of the service, without a slash at its end: `https://quarry.example.com`. */
  readonly baseUrl: string
  /** To add headers, retries and the like. */
  readonly transformClient?: (client: HttpClient.HttpClient) => HttpClient.HttpClient
}

/**
 * A client of the REST API, derived from its definition: a method per endpoint, answers decoded by their Schemas, every
 * failure of the service a typed error.
 */
export const restClient = (options: ClientOptions) =>
  Effect.map(HttpApiClient.make(Api, options), ({ content, info, search, unified }) => ({
    text: (query: Given<typeof TextQuery.from>) =>
      Effect.suspend(() => search.text({ urlParams: TextQuery.from.make(query) })),
    images: (query: Given<typeof ImagesQuery.from>) =>
      Effect.suspend(() => search.images({ urlParams: ImagesQuery.from.make(query) })),
    videos: (query: Given<typeof VideosQuery.from>) =>
      Effect.suspend(() => search.videos({ urlParams: VideosQuery.from.make(query) })),
    news: (query: Given<typeof NewsQuery.from>) =>
      Effect.suspend(() => search.news({ urlParams: NewsQuery.from.make(query) })),
    books: (query: Given<typeof BooksQuery.from>) =>
      Effect.suspend(() => search.books({ urlParams: BooksQuery.from.make(query) })),
    all: (query: Given<typeof UnifiedQuery>) =>
      Effect.suspend(() => unified.all({ urlParams: UnifiedQuery.make(query) })),
    fetch: (query: Given<typeof ContentQuery>) =>
      Effect.suspend(() => content.fetch({ urlParams: ContentQuery.make(query) })),
    fetchMultiple: (request: Given<typeof BatchRequest>) =>
      Effect.suspend(() => content.fetchMultiple({ payload: BatchRequest.make(request) })),
    info: () => info.info({}),
    health: () => info.health({})
  }))
