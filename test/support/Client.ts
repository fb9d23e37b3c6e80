import { Effect, Schema } from "effect"
import { Server } from "./Server.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text as JSON; undefined for an empty or other body. */
  readonly body: unknown
}

export interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  readonly body?: string | Uint8Array
  /** The client's address as the trusted hop gives it; a new one for each call unless told, so that budgets are fresh. */
  readonly from?: string
}

const clients = (function* () {
  for (let number = 0; ; number++) {
    yield `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  }
})()

/** An address that no call came from before. */
export const newClient = (): string => clients.next().value

const parsed = Schema.decodeUnknownOption(Schema.parseJson())

/** Calls the service; `path` begins with a slash. */
export const call = (
  path: string,
  { body, from, headers, json, method }: Call = {}
): Effect.Effect<Answer, never, Server> =>
  Effect.gen(function* () {
    const { baseUrl } = yield* Server
    return yield* Effect.promise(async (signal) => {
      const response = await fetch(`${baseUrl}${path}`, {
        method: method ?? (json === undefined && body === undefined ? "GET" : "POST"),
        headers: {
          "X-Forwarded-For": from ?? newClient(),
          ...(json === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers
        },
        redirect: "manual",
        signal,
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(body === undefined ? {} : { body })
      })
      const text = await response.text()
      const decoded = parsed(text)
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: decoded._tag === "Some" ? decoded.value : undefined
      }
    })
  })

/** `?a=1&b=2`; a list gives the parameter again and again. */
export const search = (
  path: string,
  parameters: Readonly<Record<string, string | number | ReadonlyArray<string>>>,
  options: Call = {}
) => {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)])
    )
  )
  return call(`${path}?${query}`, options)
}

const Receipt = Schema.Struct({
  engine: Schema.String,
  outcome: Schema.String,
  results_count: Schema.Number,
  took_ms: Schema.Number,
  until: Schema.optionalWith(Schema.String, { exact: true })
})

const Item = Schema.Struct(
  { title: Schema.String, url: Schema.String, engines: Schema.Array(Schema.String) },
  { key: Schema.String, value: Schema.Unknown }
)

const Found = Schema.Struct({
  success: Schema.Literal(true),
  query: Schema.String,
  results_count: Schema.Number,
  results: Schema.Array(Item),
  sources: Schema.Array(Receipt)
})

/** The body of a search that went well; dies on another. */
export const found = (answer: Answer) => Effect.orDie(Schema.decodeUnknown(Found)(answer.body))

const Failed = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.String,
  details: Schema.Unknown
})

/** The error envelope, which has no other members; dies on anything else. */
export const failed = (answer: Answer) =>
  Effect.orDie(Schema.decodeUnknown(Failed, { onExcessProperty: "error" })(answer.body))

const Unanswered = Schema.Struct({ sources: Schema.Array(Receipt) })

/** The receipts of a search that nobody answered. */
export const unanswered = (answer: Answer) =>
  Effect.flatMap(failed(answer), ({ details }) => Effect.orDie(Schema.decodeUnknown(Unanswered)(details)))

/** What each engine did, by name. */
export const outcomes = (sources: ReadonlyArray<typeof Receipt.Type>): Readonly<Record<string, string>> =>
  Object.fromEntries(sources.map(({ engine, outcome }) => [engine, outcome]))
