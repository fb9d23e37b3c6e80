import { plainLine, plainLineOrNull } from "./PlainText.ts"
import { type RawResult } from "./ResultItem.ts"
import { webUrl } from "./WebUrl.ts"

/**
 * What an engine's page says, made into an item: text folded, links absolute, empty members null. Each answers null
 * when there is no title or no http(s) URL, so that no parser can return half an item.
 */
type Loose = string | null | undefined

interface Head {
  /** Plain text, entities already decoded. */
  readonly title: Loose
  /** Absolute, or relative to `base`. */
  readonly url: Loose
  /** The answer's own URL, for relative links. */
  readonly base?: string
}

/** Longer than any honest member; a page that says more is cut here. Code points. */
const longest = { title: 500, text: 5_000 } as const

const cut = (text: string, length: number): string => {
  const points = Array.from(text.slice(0, length * 2))
  return points.length <= length ? points.join("") : points.slice(0, length).join("").trimEnd()
}

const line = (text: Loose): string | null => {
  const folded = plainLineOrNull(text)
  return folded === null ? null : cut(folded, longest.text)
}

/** Without a base, a link that leaves its scheme out (`//host/path`) is one of https. */
const linked = (link: Loose, base?: string): string | null =>
  base === undefined ? webUrl(link?.trim().replace(/^(?=\/\/)/, "https:")) : webUrl(link, base)

const head = ({ base, title, url }: Head): { readonly title: string; readonly url: string } | null => {
  const folded = cut(plainLine(title ?? ""), longest.title)
  const address = linked(url, base)
  return folded === "" || address === null ? null : { title: folded, url: address }
}

const whole = (value: number | null | undefined): number | null =>
  value === null || value === undefined || !Number.isSafeInteger(value) || value < 0 ? null : value

/** A count of pixels; zero is an engine's way of not knowing. */
const pixels = (value: number | null | undefined): number | null => whole(value) || null

export const rawText = (raw: Head & { readonly body?: Loose }): RawResult<"text"> | null => {
  const top = head(raw)
  return top && { ...top, href: top.url, body: line(raw.body) }
}

export const rawImage = (
  raw: Head & {
    readonly image?: Loose
    readonly thumbnail?: Loose
    readonly width?: number | null
    readonly height?: number | null
    readonly source?: Loose
  }
): RawResult<"images"> | null => {
  const top = head(raw)
  return (
    top && {
      ...top,
      image: linked(raw.image, raw.base),
      thumbnail: linked(raw.thumbnail, raw.base),
      width: pixels(raw.width),
      height: pixels(raw.height),
      source: line(raw.source)
    }
  )
}

const attribute = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;")

/** The one iframe that `embed_html` may hold (contract, section 2). */
const iframe = (embedUrl: string): string =>
  `<iframe src="${attribute(embedUrl)}" width="1280" height="720" frameborder="0" allowfullscreen></iframe>`

/** `m:ss` or `h:mm:ss` of a number of seconds; null for none, which is what live videos have. */
export const durationOf = (seconds: number | null | undefined): string | null => {
  const total = whole(seconds === null || seconds === undefined ? null : Math.round(seconds))
  if (total === null || total === 0) return null
  const two = (value: number) => String(value).padStart(2, "0")
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor((total % 3600) / 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(total % 60)}` : `${minutes}:${two(total % 60)}`
}

export const rawVideo = (
  raw: Head & {
    readonly description?: Loose
    /** Seconds. */
    readonly seconds?: number | null
    readonly embedUrl?: Loose
    readonly images?: {
      readonly large?: Loose
      readonly medium?: Loose
      readonly small?: Loose
      readonly motion?: Loose
    }
    readonly provider?: Loose
    /** ISO 8601, UTC. */
    readonly published?: string | null
    readonly publisher?: Loose
    readonly uploader?: Loose
    readonly views?: number | null
  }
): RawResult<"videos"> | null => {
  const top = head(raw)
  const embed = linked(raw.embedUrl, raw.base)
  return (
    top && {
      ...top,
      content: top.url,
      description: line(raw.description),
      duration: durationOf(raw.seconds),
      embed_url: embed,
      embed_html: embed === null ? null : iframe(embed),
      images: {
        large: linked(raw.images?.large, raw.base),
        medium: linked(raw.images?.medium, raw.base),
        small: linked(raw.images?.small, raw.base),
        motion: linked(raw.images?.motion, raw.base)
      },
      provider: line(raw.provider),
      published: raw.published ?? null,
      publisher: line(raw.publisher),
      uploader: line(raw.uploader),
      statistics: { viewCount: whole(raw.views) }
    }
  )
}

export const rawNews = (
  raw: Head & {
    /** ISO 8601, UTC. */
    readonly date?: string | null
    readonly body?: Loose
    readonly image?: Loose
    readonly source?: Loose
  }
): RawResult<"news"> | null => {
  const top = head(raw)
  return (
    top && {
      ...top,
      date: raw.date ?? null,
      body: line(raw.body),
      image: linked(raw.image, raw.base),
      source: line(raw.source)
    }
  )
}

export const rawBook = (
  raw: Head & {
    readonly authors?: ReadonlyArray<string>
    readonly publisher?: Loose
    readonly info?: Loose
    readonly thumbnail?: Loose
    readonly year?: number | null
    readonly languages?: ReadonlyArray<string>
    readonly isbns?: ReadonlyArray<string>
  }
): RawResult<"books"> | null => {
  const top = head(raw)
  return (
    top && {
      ...top,
      author: line(raw.authors?.join(", ")),
      publisher: line(raw.publisher),
      info: line(raw.info),
      thumbnail: linked(raw.thumbnail, raw.base),
      year: Number.isSafeInteger(raw.year) ? (raw.year ?? null) : null,
      language: line(raw.languages?.join(", ")),
      isbn: line(raw.isbns?.find((isbn) => isbn.length === 13) ?? raw.isbns?.[0])
    }
  )
}
