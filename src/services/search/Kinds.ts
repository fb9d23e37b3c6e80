import { type RawResult, type ItemOf } from "../../domain/ResultItem.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { canonicalUrl } from "./CanonicalUrl.ts"

/** The functions of a kind that fusion requires. */
export interface Kind<K extends SearchKind> {
  /** Items with the same identity are merged. */
  readonly identity: (found: RawResult<K>) => string
  /** The text by which the language is detected. */
  readonly said: (found: RawResult<K>) => string
  /** The better-ranked item, completed with fuller values of the other one. */
  readonly merge: (best: RawResult<K>, other: RawResult<K>) => RawResult<K>
  readonly item: (found: RawResult<K>, engines: ReadonlyArray<string>) => ItemOf[K]
}

const longer = <A extends string | null>(one: A, other: A): A =>
  (other?.length ?? 0) > (one?.length ?? 0) ? other : one

/** A truncated title ends in an ellipsis. The longer title is used then. */
const title = (one: string, other: string): string => (/(?:…|\.\.\.)$/.test(one) ? longer(one, other) : one)

export const kinds: { readonly [K in SearchKind]: Kind<K> } = {
  text: {
    identity: (found) => canonicalUrl(found.url),
    said: (found) => `${found.title}. ${found.body ?? ""}`,
    merge: (a, b) => ({ ...a, title: title(a.title, b.title), body: longer(a.body, b.body) }),
    item: (found, engines) => ({ ...found, engines })
  },
  images: {
    identity: (found) => (found.image === null ? `page ${canonicalUrl(found.url)}` : canonicalUrl(found.image)),
    said: (found) => found.title,
    merge: (a, b) => ({
      ...a,
      title: title(a.title, b.title),
      thumbnail: a.thumbnail ?? b.thumbnail,
      width: a.width ?? b.width,
      height: a.height ?? b.height,
      source: a.source ?? b.source
    }),
    item: (found, engines) => ({ ...found, engines })
  },
  videos: {
    identity: (found) => canonicalUrl(found.url),
    said: (found) => `${found.title}. ${found.description ?? ""}`,
    merge: (a, b) => ({
      ...a,
      title: title(a.title, b.title),
      description: longer(a.description, b.description),
      duration: a.duration ?? b.duration,
      embed_url: a.embed_url ?? b.embed_url,
      embed_html: a.embed_html ?? b.embed_html,
      images: {
        large: a.images.large ?? b.images.large,
        medium: a.images.medium ?? b.images.medium,
        small: a.images.small ?? b.images.small,
        motion: a.images.motion ?? b.images.motion
      },
      provider: a.provider ?? b.provider,
      published: a.published ?? b.published,
      publisher: a.publisher ?? b.publisher,
      uploader: a.uploader ?? b.uploader,
      statistics: { viewCount: a.statistics.viewCount ?? b.statistics.viewCount }
    }),
    item: (found, engines) => ({ ...found, engines })
  },
  news: {
    identity: (found) => canonicalUrl(found.url),
    said: (found) => `${found.title}. ${found.body ?? ""}`,
    merge: (a, b) => ({
      ...a,
      title: title(a.title, b.title),
      date: a.date ?? b.date,
      body: longer(a.body, b.body),
      image: a.image ?? b.image,
      source: a.source ?? b.source
    }),
    item: (found, engines) => ({ ...found, engines })
  },
  books: {
    identity: (found) => canonicalUrl(found.url),
    said: (found) => found.title,
    merge: (a, b) => ({
      ...a,
      title: title(a.title, b.title),
      author: a.author ?? b.author,
      publisher: a.publisher ?? b.publisher,
      info: longer(a.info, b.info),
      thumbnail: a.thumbnail ?? b.thumbnail,
      year: a.year ?? b.year,
      language: a.language ?? b.language,
      isbn: a.isbn ?? b.isbn
    }),
    item: (found, engines) => ({ ...found, engines })
  }
}
