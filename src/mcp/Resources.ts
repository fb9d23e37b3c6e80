import { type ReadResourceResult } from "@modelcontextprotocol/server"
import { Data, Effect, Schema } from "effect"
import { contentBounds, isWebUrl } from "../domain/Content.ts"
import { type ContentError } from "../domain/Failure.ts"
import { EngineList, engineListOf } from "../domain/Info.ts"
import { percentDecoded } from "../domain/PercentEncoding.ts"
import { windowSeconds } from "../domain/RateLimits.ts"
import { Caller } from "../services/rate-limiter/Caller.ts"
import { type ToolServices } from "./ToolServices.ts"
import { documentText } from "./ContentText.ts"
import { freshQuote } from "./Quote.ts"
import { tokenBounds } from "./TokenBudget.ts"

/** No resource has this URI. */
export class UnknownResource extends Data.TaggedError("UnknownResource")<{ readonly uri: string }> {}

interface About {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}

export interface Resource extends About {
  readonly uri: string
  readonly text: (backing: ToolServices) => Effect.Effect<string, never, Caller>
}

export interface ResourceTemplate extends About {
  readonly uriTemplate: string
}

const contentPrefix = "quarry://content/"

/** Returns the URL in a URI of the template, literal or percent-encoded as a whole; null when there is none. */
const urlOf = (uri: string): string | null => {
  const rest = uri.slice(contentPrefix.length)
  if (isWebUrl(rest)) return rest
  const decoded = percentDecoded(rest)
  return isWebUrl(decoded) ? decoded : null
}

/** Whether reading the URI is a fetch, which spends the `content` budget. */
export const isContent = (uri: unknown): boolean => typeof uri === "string" && uri.startsWith(contentPrefix)

const template: ResourceTemplate = {
  uriTemplate: `${contentPrefix}{+url}`,
  name: "content",
  title: "Main text of a page",
  description: "The main text of any http(s) URL as Markdown, fenced as a quotation; spends the content budget.",
  mimeType: "text/markdown"
}

const encodeEngines = Schema.encode(Schema.parseJson(EngineList))

const usage = Effect.map(
  Effect.flatMap(Caller, ({ budgets }) => budgets),
  (budgets) =>
    JSON.stringify({
      success: true,
      limited: budgets !== null,
      window_seconds: windowSeconds,
      budgets: (budgets ?? []).map(({ group, limit, remaining, resetAt, resetIn }) => ({
        group,
        limit,
        remaining,
        reset: new Date(resetAt * 1_000).toISOString(),
        reset_in: resetIn
      }))
    })
)

/** Resources besides the tools: the engines as in `GET /api/engines`, and the caller's budgets. */
const resources: ReadonlyArray<Resource> = [
  {
    uri: "quarry://engines",
    name: "engines",
    title: "Engines",
    description: "Every engine: its kinds and filters, how it has answered, and why it rests.",
    mimeType: "application/json",
    text: ({ engines }) =>
      Effect.orDie(Effect.flatMap(engines.report, (reports) => encodeEngines(engineListOf(reports))))
  },
  {
    uri: "quarry://usage",
    name: "usage",
    title: "Usage",
    description: "What is left of your budgets, by group, and when they are full again.",
    mimeType: "application/json",
    text: () => usage
  }
]

export const listedResources = resources.map(({ text: _, ...about }) => about)

export const resourceTemplates: ReadonlyArray<ResourceTemplate> = [template]

/** Returns the name of a resource for the log. The URI itself is not logged: it can contain the URL of a page. */
export const resourceName = (uri: string): string => {
  const listed = resources.find((one) => one.uri === uri)
  if (listed !== undefined) return listed.name
  return isContent(uri) ? template.name : "unknown"
}

/** Reads a page, in the longest piece that the bounds allow. */
const page = Effect.fnUntraced(function* ({ content }: ToolServices, uri: string) {
  const url = urlOf(uri)
  if (url === null) return yield* new UnknownResource({ uri })
  const asked = { url, timeout: contentBounds.timeout.default, max_length: contentBounds.max_length.max, offset: 0 }
  const document = yield* content.fetch({ ...asked, format: "markdown" })
  return documentText(document, asked, { maxTokens: tokenBounds.max, quote: yield* freshQuote })
})

/** Reads a resource by its URI, or a page by the template. */
export const readResource = (
  backing: ToolServices,
  uri: string
): Effect.Effect<ReadResourceResult, UnknownResource | ContentError, Caller> =>
  Effect.gen(function* () {
    const resource = resources.find((one) => one.uri === uri)
    if (resource !== undefined) {
      return { contents: [{ uri, mimeType: resource.mimeType, text: yield* resource.text(backing) }] }
    }
    if (!isContent(uri)) return yield* new UnknownResource({ uri })
    return { contents: [{ uri, mimeType: template.mimeType, text: yield* page(backing, uri) }] }
  })
