import { Schema } from "effect"
import * as Parameter from "./Parameter.ts"
import { canParseUrl } from "./WebUrl.ts"

export const contentFormats = ["text", "markdown", "html"] as const
export type ContentFormat = (typeof contentFormats)[number]

const text = (description: string) => Schema.NullOr(Schema.String).annotations({ description })
const count = (description: string) =>
  Schema.Number.pipe(Schema.int(), Schema.nonNegative()).annotations({ description })

/** Metadata that a page declares; null for what it does not declare. */
export interface PageMetadata {
  readonly title: string | null
  readonly description: string | null
  /** Names, joined by commas. */
  readonly author: string | null
  /** ISO 8601. */
  readonly published: string | null
  readonly modified: string | null
  readonly site_name: string | null
  /** BCP 47. */
  readonly language: string | null
  /** Absolute URLs. */
  readonly canonical: string | null
  readonly image: string | null
}

export const pageKinds = ["article", "documentation", "product", "service", "forum", "listing", "collection"] as const
export type PageKind = (typeof pageKinds)[number]

/** Metadata of a document besides its text. */
export interface Metadata extends PageMetadata {
  readonly page_kind: PageKind | null
  /** Words of the whole main text. */
  readonly word_count: number
}

/** The main text of one URL (contract, section 3). Lengths and offsets count Unicode code points. */
export const ContentDocument = Schema.Struct({
  success: Schema.Literal(true),
  url: Schema.String.annotations({ description: "As it was asked for." }),
  final_url: Schema.String.annotations({ description: "Where the answer came from, after redirects." }),
  status_code: Schema.Number.pipe(Schema.int()).annotations({ description: "HTTP status of the target." }),
  content_type: Schema.String.annotations({ description: "Media type of the target, without parameters." }),
  title: text("Plain text."),
  description: text("Plain text."),
  author: text("Plain text; several names are joined by commas."),
  published: text("ISO 8601."),
  modified: text("ISO 8601."),
  site_name: text("Plain text."),
  language: text("BCP 47."),
  canonical: text("Absolute URL that the page gives as its own."),
  image: text("Absolute URL."),
  page_kind: Schema.NullOr(Schema.Literal(...pageKinds)).annotations({
    description: "What the page looks like, by its structure and structured data; null where that is not clear."
  }),
  word_count: count("Words of the whole main text; in scripts without spaces one for two characters."),
  content: Schema.String.annotations({
    description: "The piece from `offset`, at most `max_length` code points; paragraphs are separated by a blank line."
  }),
  format: Schema.Literal(...contentFormats).annotations({ description: "As it was asked for." }),
  content_length: count("Length of the whole main text."),
  returned_length: count("Length of `content`."),
  trimmed: Schema.Boolean.annotations({ description: "Whether more text follows." }),
  next_offset: Schema.NullOr(Schema.Number.pipe(Schema.int())).annotations({
    description: "The `offset` that continues where `content` ends; null when nothing is left."
  }),
  truncated_input: Schema.Boolean.annotations({
    description: "The document was larger than what is parsed; this is what was read."
  }),
  hidden_text: Schema.Boolean.annotations({
    description: "The page carried text that a reader cannot see; it is left out."
  })
}).annotations({ identifier: "ContentDocument", description: "The main text of the page, or the piece asked for." })
export type ContentDocument = typeof ContentDocument.Type

/** `timeout` in seconds, `max_length` in code points. */
export const contentBounds = {
  timeout: { min: 5, max: 30, default: 10 },
  max_length: { min: 100, max: 20_000, default: 2_000 }
} as const

const describe = {
  timeout: "Seconds for the whole of fetching and extracting.",
  max_length: "Code points of text at most; cut at a paragraph, sentence or word end.",
  format: "Plain text, CommonMark with GFM tables, or sanitised HTML.",
  offset: "Code points to skip; use the last answer's `next_offset` to read on."
} as const

/** Maximum length of a URL, in code units. */
const longestUrl = 8_192

export const webUrlRule = `an absolute http or https URL of at most ${longestUrl} characters, none of them a control character`

/** The URL Standard silently removes some control characters: the fetched URL would differ from the requested one. */
const controls = /[\x00-\x1f\x7f]/

/** Whether a text satisfies `webUrlRule`. Surrounding white space is ignored. */
export const isWebUrl = (text: string): boolean => {
  const trimmed = text.trim()
  if (trimmed.length > longestUrl || controls.test(trimmed)) return false
  if (!/^https?:\/\//i.test(trimmed) || !canParseUrl(trimmed)) return false
  return new URL(trimmed).hostname !== ""
}

const exact = { exact: true } as const

export const ContentQuery = Schema.Struct({
  url: Parameter.text({
    description: "The http(s) URL to read.",
    expected: webUrlRule,
    example: "https://example.com/article",
    jsonSchema: { format: "uri", maxLength: longestUrl },
    read: (given) => (isWebUrl(given) ? given.trim() : null)
  }),
  timeout: Schema.optionalWith(Parameter.integer({ ...contentBounds.timeout, description: describe.timeout }), {
    ...exact,
    default: () => contentBounds.timeout.default
  }),
  max_length: Schema.optionalWith(
    Parameter.integer({ ...contentBounds.max_length, description: describe.max_length }),
    {
      ...exact,
      default: () => contentBounds.max_length.default
    }
  ),
  format: Schema.optionalWith(Parameter.oneOf(contentFormats, { description: describe.format, default: "text" }), {
    ...exact,
    default: (): ContentFormat => "text"
  }),
  offset: Schema.optionalWith(Parameter.integer({ min: 0, description: describe.offset, default: 0 }), {
    ...exact,
    default: () => 0
  })
}).annotations({ parseOptions: { errors: "all" } })
export type ContentQuery = typeof ContentQuery.Type

const bodyInteger = (
  options: { readonly min: number; readonly max: number; readonly default: number },
  description: string
) =>
  Schema.optionalWith(
    Schema.Number.pipe(
      Schema.filter(
        (value) =>
          (Number.isInteger(value) && value >= options.min && value <= options.max) ||
          `must be an integer from ${options.min} to ${options.max}`
      )
    ).annotations({
      description,
      message: () => ({ message: `must be an integer from ${options.min} to ${options.max}`, override: true }),
      jsonSchema: {
        type: "integer",
        minimum: options.min,
        maximum: options.max,
        default: options.default,
        description
      }
    }),
    { ...exact, default: () => options.default }
  )

/** Body of the batch fetch (specification, "Content-fetch request"). An invalid URL fails alone. */
export const BatchRequest = Schema.Struct({
  urls: Schema.Array(Schema.String)
    .pipe(Schema.filter((urls) => urls.length >= 1 && urls.length <= 10))
    .annotations({
      description: "1 to 10 http(s) URLs; a URL named twice is fetched once.",
      message: () => ({ message: "must be an array of 1 to 10 strings", override: true }),
      jsonSchema: {
        type: "array",
        items: { type: "string", format: "uri" },
        minItems: 1,
        maxItems: 10,
        description: "1 to 10 http(s) URLs; a URL named twice is fetched once.",
        examples: [["https://example.com/", "https://example.org/"]]
      }
    }),
  timeout: bodyInteger(contentBounds.timeout, `${describe.timeout} For each URL.`),
  max_length: bodyInteger(contentBounds.max_length, `${describe.max_length} For each URL.`),
  format: Schema.optionalWith(Parameter.oneOf(contentFormats, { description: describe.format, default: "text" }), {
    ...exact,
    default: (): ContentFormat => "text"
  })
})
export type BatchRequest = typeof BatchRequest.Type
