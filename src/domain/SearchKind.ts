/** The five kinds of search, in the order of the unified search. */
export const searchKinds = ["text", "images", "videos", "news", "books"] as const

export type SearchKind = (typeof searchKinds)[number]

/** The `type` of an item in a unified answer, by kind (contract, section 2). */
export const itemTypes = {
  text: "text",
  images: "image",
  videos: "video",
  news: "news",
  books: "book"
} as const satisfies Record<SearchKind, string>
