import { plainLine, plainLineOrNull } from "./PlainText.ts"
import { type RawResult } from "./ResultItem.ts"
import { webUrl } from "./WebUrl.ts"

/**
 * Converts the content of an engine's page to items: text normalised, links absolute, empty members null. Each
 * constructor returns null without a title or an http(s) URL, so that no parser can return an incomplete item.
 */
type RawText = string | null | undefined

interface Head {
  /** Plain text, with entities decoded. */
  readonly title: RawText
  /** Absolute, or relative to `base`. */
  readonly url: RawText
  /** URL of the response, for relative links. */
  readonly base?: string
}

/** Maximum code points of a title and of other texts. Genuine values are shorter; longer ones are cut. */
const longest = { title: 500, text: 5_000 } as const

const cut = (text: string, length: number): string => {
  const points = Array.from(text.slice(0, length * 2))
  return points.length <= length ? points.join("") : points.slice(0, length).join("").trimEnd()
}

const line = (text: RawText): string | null => {
  const folded = plainLineOrNull(text)
  return folded === null ? null : cut(folded, longest.text)
}

/** Without a base, a link without a scheme (`//host/path`) is resolved as https. */
const linked = (link: RawText, base?: string): string | null =>
  base === undefined ? webUrl(link?.trim().replace(/^(?=\/\/)/, "https:")) : webUrl(link, base)

const head = ({ base, title, url }: Head): { readonly title: string; readonly url: string } | null => {
  const folded = cut(plainLine(title ?? ""), longest.title)
  const address = linked(url, base)
  return folded === "" || address === null ? null : { title: folded, url: address }
}

const whole = (value: number | null | undefined): number | null =>
  value === null || value === undefined || !Number.isSafeInteger(value) || value < 0 ? null : value

/** Size in pixels. Engines write zero for an unknown size. */
const pixels = (value: number | null | undefined): number | null => whole(value) || null

export const rawText = (raw: Head & { readonly body?: RawText }): RawResult<"text"> | null => {
  const top = head(raw)
  return top && { ...top, href: top.url, body: line(raw.body) }
}

export const rawImage = (
  raw: Head & {
    readonly image?: RawText
    readonly thumbnail?: RawText
    readonly width?: number | null
    readonly height?: number | null
    readonly source?: RawText
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

/** The only iframe that `embed_html` can contain (contract, section 2). */
const iframe = (embedUrl: string): string =>
  `<iframe src="${attribute(embedUrl)}" width="1280" height="720" frameborder="0" allowfullscreen></iframe>`

/** Formats seconds as `m:ss` or `h:mm:ss`; null for zero or unknown seconds, which live videos have. */
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
    readonly description?: RawText
    /** Seconds. */
    readonly seconds?: number | null
    readonly embedUrl?: RawText
    readonly images?: {
      readonly large?: RawText
      readonly medium?: RawText
      readonly small?: RawText
      readonly motion?: RawText
    }
    readonly provider?: RawText
    /** ISO 8601, UTC. */
    readonly published?: string | null
    readonly publisher?: RawText
    readonly uploader?: RawText
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
    readonly body?: RawText
    readonly image?: RawText
    readonly source?: RawText
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
    readonly publisher?: RawText
    readonly info?: RawText
    readonly thumbnail?: RawText
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
