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

/** The rules are the service's to apply: its answer names every wrong parameter. */
const unchecked = { disableValidation: true }

/**
 * A client of the REST API, derived from its definition: a method per endpoint, answers decoded by their Schemas, every
 * failure of the service a typed error.
 */
export const restClient = (options: ClientOptions) =>
  Effect.map(HttpApiClient.make(Api, options), ({ content, info, search, unified }) => ({
    text: (query: Given<typeof TextQuery.from>) => search.text({ urlParams: TextQuery.from.make(query, unchecked) }),
    images: (query: Given<typeof ImagesQuery.from>) =>
      search.images({ urlParams: ImagesQuery.from.make(query, unchecked) }),
    videos: (query: Given<typeof VideosQuery.from>) =>
      search.videos({ urlParams: VideosQuery.from.make(query, unchecked) }),
    news: (query: Given<typeof NewsQuery.from>) => search.news({ urlParams: NewsQuery.from.make(query, unchecked) }),
    books: (query: Given<typeof BooksQuery.from>) =>
      search.books({ urlParams: BooksQuery.from.make(query, unchecked) }),
    all: (query: Given<typeof UnifiedQuery>) => unified.all({ urlParams: UnifiedQuery.make(query, unchecked) }),
    fetch: (query: Given<typeof ContentQuery>) => content.fetch({ urlParams: ContentQuery.make(query, unchecked) }),
    fetchMultiple: (request: Given<typeof BatchRequest>) =>
      content.fetchMultiple({ payload: BatchRequest.make(request, unchecked) }),
    info: () => info.info({}),
    health: () => info.health({})
  }))
