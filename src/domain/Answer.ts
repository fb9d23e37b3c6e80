import { Schema } from "effect"
import { ContentDocument } from "./Content.ts"
import { ErrorEnvelope } from "./Envelope.ts"
import { KindReceipt, KindReceipts, SourceReceipt } from "./Outcome.ts"
import { BookItem, ImageItem, type ItemOf, itemSchemas, NewsItem, TextItem, VideoItem } from "./ResultItem.ts"
import { type SearchKind } from "./SearchKind.ts"

const count = (description: string) =>
  Schema.Number.pipe(Schema.int(), Schema.nonNegative()).annotations({ description })

const head = {
  success: Schema.Literal(true),
  query: Schema.String.annotations({ description: "The query that was searched." }),
  results_count: count("Number of items in `results`.")
}

/** Success envelope of one kind (specification, "Success envelope"; contract, sections 1 and 2). */
const answer = <Item extends Schema.Schema.AnyNoContext>(identifier: string, item: Item) =>
  Schema.Struct({
    ...head,
    results: Schema.Array(item).annotations({ description: "What was found, best first." }),
    page: count("The page that was asked for."),
    sources: Schema.Array(SourceReceipt).annotations({
      description: 'What each engine did: tells "nothing exists" from "nobody answered".'
    }),
    took_ms: count("Milliseconds the search took."),
    cached: Schema.Boolean.annotations({ description: "Whether a kept answer was given (see CACHE_TTL)." })
  }).annotations({ identifier, description: "What was found; nothing found is `results_count: 0`." })

export const answerSchemas = {
  text: answer("TextAnswer", itemSchemas.text),
  images: answer("ImagesAnswer", itemSchemas.images),
  videos: answer("VideosAnswer", itemSchemas.videos),
  news: answer("NewsAnswer", itemSchemas.news),
  books: answer("BooksAnswer", itemSchemas.books)
} as const

export interface SearchAnswer<K extends SearchKind> {
  readonly success: true
  readonly query: string
  readonly results_count: number
  readonly results: ReadonlyArray<ItemOf[K]>
  readonly page: number
  readonly sources: ReadonlyArray<SourceReceipt>
  readonly took_ms: number
  readonly cached: boolean
}

const typed = <Type extends string, Fields extends Schema.Struct.Fields>(
  type: Type,
  identifier: string,
  item: Schema.Struct<Fields>
) => Schema.Struct({ type: Schema.Literal(type), ...item.fields }).annotations({ identifier, title: type })

const typedItems = {
  text: typed("text", "UnifiedTextItem", TextItem),
  images: typed("image", "UnifiedImageItem", ImageItem),
  videos: typed("video", "UnifiedVideoItem", VideoItem),
  news: typed("news", "UnifiedNewsItem", NewsItem),
  books: typed("book", "UnifiedBookItem", BookItem)
} as const

export const UnifiedItem = Schema.Union(
  typedItems.text,
  typedItems.images,
  typedItems.videos,
  typedItems.news,
  typedItems.books
)
export type UnifiedItem = typeof UnifiedItem.Type

const kindAnswer = <Kind extends SearchKind, Item extends Schema.Schema.AnyNoContext>(kind: Kind, item: Item) =>
  Schema.Struct({ kind: Schema.Literal(kind), results: Schema.Array(item), receipt: KindReceipt })

/** One kind's part of a unified search, available as soon as that kind is complete. */
export const KindAnswer = Schema.Union(
  kindAnswer("text", typedItems.text),
  kindAnswer("images", typedItems.images),
  kindAnswer("videos", typedItems.videos),
  kindAnswer("news", typedItems.news),
  kindAnswer("books", typedItems.books)
)
export type KindAnswer = typeof KindAnswer.Type

/** Combined answer of all five kinds: one flat list, in the order text, images, videos, news, books. */
export const UnifiedAnswer = Schema.Struct({
  ...head,
  results: Schema.Array(UnifiedItem).annotations({ description: "`type` says what an item is." }),
  sources: KindReceipts,
  took_ms: count("Milliseconds the search took.")
}).annotations({
  identifier: "UnifiedAnswer",
  description: "What was found of all kinds, in the order text, images, videos, news, books."
})
export type UnifiedAnswer = typeof UnifiedAnswer.Type

/** One URL of a batch that could not be read. */
export const ContentFailure = Schema.Struct({
  success: Schema.Literal(false),
  url: Schema.String.annotations({ description: "As it was asked for." }),
  error: ErrorEnvelope.fields.error,
  details: ErrorEnvelope.fields.details
}).annotations({ identifier: "ContentFailure", description: "What the single endpoint would have answered with." })

/** One URL of a batch, read or failed. */
export const BatchEntry = Schema.Union(ContentDocument, ContentFailure)
export type BatchEntry = typeof BatchEntry.Type

/** Answer of the batch fetch: one entry per URL, in the order of the request. */
export const BatchAnswer = Schema.Struct({
  success: Schema.Literal(true),
  results_count: head.results_count,
  results: Schema.Array(BatchEntry).annotations({ description: "One entry per URL, in the order asked." })
}).annotations({ identifier: "BatchAnswer", description: "What became of each URL." })
export type BatchAnswer = typeof BatchAnswer.Type
