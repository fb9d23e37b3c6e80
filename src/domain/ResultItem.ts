import { Schema } from "effect"
import { type SearchKind } from "./SearchKind.ts"

const text = (description: string) => Schema.NullOr(Schema.String).annotations({ description })
const integer = (description: string) => Schema.NullOr(Schema.Number.pipe(Schema.int())).annotations({ description })

const url = (description: string) =>
  Schema.String.annotations({ description, jsonSchema: { type: "string", format: "uri", description } })

const shared = {
  title: Schema.String.annotations({ description: "Plain text." }),
  engines: Schema.Array(Schema.String).annotations({ description: "Which sources returned it, best first." })
}

/** A web page (contract, section 2). Members that a source does not provide are null. */
export const TextItem = Schema.Struct({
  title: shared.title,
  url: url("The page."),
  href: url("The same as `url`."),
  body: text("The passage the engine shows."),
  engines: shared.engines
}).annotations({ identifier: "TextItem", description: "A web page." })

/** A picture and the page that shows it. */
export const ImageItem = Schema.Struct({
  title: shared.title,
  url: url("The page that shows the picture."),
  image: text("URL of the picture file; duplicates are told by it."),
  thumbnail: text("URL of a small version."),
  width: integer("Pixels."),
  height: integer("Pixels."),
  source: text("Who hosts or lists it."),
  engines: shared.engines
}).annotations({ identifier: "ImageItem", description: "A picture and the page that shows it." })

/** A video and the page where it plays. */
export const VideoItem = Schema.Struct({
  title: shared.title,
  url: url("Where it plays."),
  content: url("The same as `url`."),
  description: text("Plain text."),
  duration: text("`m:ss` or `h:mm:ss`."),
  embed_url: text("URL of the embeddable player."),
  embed_html: text("One iframe, made by Quarry from `embed_url`."),
  images: Schema.Struct({
    large: text("URL."),
    medium: text("URL."),
    small: text("URL."),
    motion: text("URL of a moving preview.")
  }).annotations({ description: "Preview pictures by size." }),
  provider: text("The service that plays it."),
  published: text("ISO 8601, UTC."),
  publisher: text("The site or channel."),
  uploader: text("Who uploaded it."),
  statistics: Schema.Struct({ viewCount: integer("Views.") }).annotations({ description: "How it is received." }),
  engines: shared.engines
}).annotations({ identifier: "VideoItem", description: "A video and the page where it plays." })

/** A news article. */
export const NewsItem = Schema.Struct({
  title: shared.title,
  url: url("The article."),
  date: text("ISO 8601, UTC."),
  body: text("The passage the engine shows."),
  image: text("URL."),
  source: text("The publication."),
  engines: shared.engines
}).annotations({ identifier: "NewsItem", description: "A news article." })

/** A book. */
export const BookItem = Schema.Struct({
  title: shared.title,
  url: url("The book's page."),
  author: text("Authors, separated by commas."),
  publisher: text("Publisher."),
  info: text("One line: language, format, size, year."),
  thumbnail: text("URL of the cover."),
  year: integer("Year of first publication."),
  language: text("Language codes, separated by commas."),
  isbn: text("ISBN-13 where there is one, else ISBN-10."),
  engines: shared.engines
}).annotations({ identifier: "BookItem", description: "A book." })

/** The item Schema of each kind. */
export const itemSchemas = {
  text: TextItem,
  images: ImageItem,
  videos: VideoItem,
  news: NewsItem,
  books: BookItem
} as const satisfies Record<SearchKind, Schema.Schema.AnyNoContext>

export interface ItemOf {
  readonly text: typeof TextItem.Type
  readonly images: typeof ImageItem.Type
  readonly videos: typeof VideoItem.Type
  readonly news: typeof NewsItem.Type
  readonly books: typeof BookItem.Type
}

/** An item from one engine, before fusion adds the list of engines. */
export type RawResult<K extends SearchKind> = Omit<ItemOf[K], "engines">
