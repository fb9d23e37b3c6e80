import { Schema } from "effect"
import * as Parameter from "./Parameter.ts"
import { regionPattern, regions } from "./Region.ts"

/**
 * The parameters of the search endpoints (specification, "Endpoints"), encoded as query strings. Every parameter but
 * `q` is optional. The decoded query then has the default, or lacks the member when there is no default.
 */
const withDefault = <A>(schema: Schema.Schema<A, string>, value: A) =>
  Schema.optionalWith(schema, { exact: true, default: () => value })

const optional = <A>(schema: Schema.Schema<A, string>) => Schema.optionalWith(schema, { exact: true })

const q = (description: string, example: string) =>
  Parameter.text({
    description: `${description} Surrounding spaces and control characters are dropped; 1 to 1,000 characters.`,
    expected: "a text of 1 to 1000 characters",
    example,
    jsonSchema: { minLength: 1, maxLength: 1000 },
    read: (given) => {
      const trimmed = given
        .toWellFormed()
        .replace(/\p{Cc}+/gu, " ")
        .trim()
      const length = Array.from(trimmed.slice(0, 2001)).length
      return length >= 1 && length <= 1000 ? trimmed : null
    }
  })

const region = withDefault(
  Parameter.text({
    description:
      "Country and language (`cc-ll`, any letter case), or `wt-wt` for no region. Known: " +
      `${regions.map((known) => known.code).join(", ")}. Another code of this form gets the nearest of these.`,
    expected: "a region code such as us-en, uk-en or wt-wt",
    default: "us-en",
    example: "uk-en",
    jsonSchema: { pattern: "^([A-Za-z]{2}-[A-Za-z]{2,3}|[Ww][Tt]-[Ww][Tt])$" },
    read: (given) => (regionPattern.test(given.trim()) ? given.trim().toLowerCase() : null)
  }),
  "us-en"
)

export const safeSearchLevels = ["on", "moderate", "off"] as const
export type SafeSearch = (typeof safeSearchLevels)[number]

const safesearch = withDefault<SafeSearch>(
  Parameter.oneOf(safeSearchLevels, { description: "How strictly adult content is left out.", default: "moderate" }),
  "moderate"
)

export const timeLimits = ["d", "w", "m", "y"] as const
export type TimeLimit = (typeof timeLimits)[number]

const timelimit = optional(
  Parameter.oneOf(timeLimits, {
    description: "At most a day (`d`), week (`w`), month (`m`) or year (`y`) old.",
    example: "w"
  })
)
const timelimitToMonth = optional(
  Parameter.oneOf(["d", "w", "m"], { description: "At most a day (`d`), week (`w`) or month (`m`) old.", example: "w" })
)

const maxResults = withDefault(
  Parameter.integer({ min: 1, max: 100, description: "Results per page.", default: 10, example: 5 }),
  10
)

/** Maximum of `page * max_results` (contract, section 2). */
export const deepestResult = 1_000

const page = withDefault(
  Parameter.integer({
    min: 1,
    max: deepestResult,
    description:
      `Which page; \`page * max_results\` is at most ${deepestResult}. ` +
      "Page p holds the results `(p-1)*max_results` to `p*max_results`.",
    default: 1
  }),
  1
)

const backend = withDefault(
  Parameter.text({
    description:
      "`auto`, or a comma-separated list of engines; `GET /api/engines` lists them. " +
      "`auto` asks several of them and fuses their answers. See `sources` in the answer for what each did.",
    expected: "auto, or a comma-separated list of engine names",
    default: "auto",
    jsonSchema: { pattern: "^[A-Za-z0-9 ,_-]+$" },
    read: (given) => {
      const names = given.split(",").map((name) => name.trim().toLowerCase())
      return names.every((name) => /^[a-z0-9_-]{1,40}$/.test(name)) ? Array.from(new Set(names)).join(",") : null
    }
  }),
  "auto"
)

/** Requires the page to end within the deepest result. */
const withinDeepestResult = (query: { readonly page: number; readonly max_results: number }) =>
  query.page * query.max_results <= deepestResult || {
    path: ["page"],
    message: `page * max_results must be at most ${deepestResult}`
  }

const written = (value: unknown, absent: number): number => {
  if (value === undefined) return absent
  return typeof value === "string" && /^ *\d{1,9} *$/.test(value) ? Number(value) : 0
}

/**
 * Returns the problem of an encoded page window, or null. The Schemas check the window only when every single field is
 * valid, but one answer must name every invalid field. Values that are not numbers are reported elsewhere.
 */
export const windowProblem = (page: unknown, maxResults: unknown): string | null => {
  const reach = withinDeepestResult({ page: written(page, 1), max_results: written(maxResults, 10) })
  return reach === true ? null : reach.message
}

/** Reports every invalid field in one answer. */
const allErrors = { parseOptions: { errors: "all" } } as const

export const TextQuery = Schema.Struct({
  q: q("What to search the web for.", "effect typescript"),
  region,
  safesearch,
  timelimit,
  max_results: maxResults,
  page,
  backend
})
  .annotations(allErrors)
  .pipe(Schema.filter(withinDeepestResult))

export const imageSizes = ["Small", "Medium", "Large", "Wallpaper"] as const
export const imageColors = [
  "color",
  "Monochrome",
  "Red",
  "Orange",
  "Yellow",
  "Green",
  "Blue",
  "Purple",
  "Pink"
] as const
export const imageTypes = ["photo", "clipart", "gif", "transparent", "line"] as const
export const imageLayouts = ["Square", "Tall", "Wide"] as const

export const ImagesQuery = Schema.Struct({
  q: q("Which pictures to search for.", "red panda"),
  region,
  safesearch,
  timelimit,
  max_results: maxResults,
  page,
  size: optional(Parameter.oneOf(imageSizes, { description: "Size of the picture." })),
  color: optional(Parameter.oneOf(imageColors, { description: "Main colour; `color` for any but monochrome." })),
  type_image: optional(Parameter.oneOf(imageTypes, { description: "What sort of picture." })),
  layout: optional(Parameter.oneOf(imageLayouts, { description: "Proportions of the picture." }))
})
  .annotations(allErrors)
  .pipe(Schema.filter(withinDeepestResult))

export const videoResolutions = ["high", "standard"] as const
export const videoDurations = ["short", "medium", "long"] as const
export const videoLicenses = ["creativeCommon", "youtube"] as const

export const VideosQuery = Schema.Struct({
  q: q("Which videos to search for.", "how bridges are built"),
  region,
  safesearch,
  timelimit: timelimitToMonth,
  max_results: maxResults,
  page,
  resolution: optional(Parameter.oneOf(videoResolutions, { description: "`high` is HD or better." })),
  duration: optional(
    Parameter.oneOf(videoDurations, { description: "`short` is under 5 minutes, `long` over 20 minutes." })
  ),
  license_videos: optional(Parameter.oneOf(videoLicenses, { description: "Licence of the video." }))
})
  .annotations(allErrors)
  .pipe(Schema.filter(withinDeepestResult))

export const NewsQuery = Schema.Struct({
  q: q("Which news to search for.", "renewable energy"),
  region,
  safesearch,
  timelimit: timelimitToMonth,
  max_results: maxResults,
  page
})
  .annotations(allErrors)
  .pipe(Schema.filter(withinDeepestResult))

export const BooksQuery = Schema.Struct({
  q: q("Title, author or subject of a book.", "pride and prejudice"),
  max_results: maxResults,
  page,
  backend
})
  .annotations(allErrors)
  .pipe(Schema.filter(withinDeepestResult))

export const UnifiedQuery = Schema.Struct({
  q: q("What to search for, in all five kinds.", "solar eclipse"),
  region,
  safesearch,
  timelimit,
  max_results_per_type: withDefault(
    Parameter.integer({ min: 1, max: 50, description: "How many results each kind gives.", default: 5 }),
    5
  )
}).annotations(allErrors)
export type UnifiedQuery = typeof UnifiedQuery.Type

export interface QueryOf {
  readonly text: typeof TextQuery.Type
  readonly images: typeof ImagesQuery.Type
  readonly videos: typeof VideosQuery.Type
  readonly news: typeof NewsQuery.Type
  readonly books: typeof BooksQuery.Type
}
