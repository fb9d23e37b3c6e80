import { Effect, Option, Schema } from "effect"
import { request } from "node:http"
import { type Answer, newClient } from "./Client.ts"
import { Server } from "./Server.ts"

export interface Posting {
  readonly method?: string
  /** In place of those that are sent unless told: nothing but a JSON content type. */
  readonly headers?: Readonly<Record<string, string>>
  /** Null for none. */
  readonly type?: string | null
  readonly from?: string
}

const parsed = Schema.decodeUnknownOption(Schema.parseJson())

/** Sends a body to the MCP door with no header that is not asked for: `fetch` would add an `Accept`, and sets `Host`. */
export const postRaw = (
  body: string | Uint8Array | null,
  { from = newClient(), headers = {}, method = "POST", type = "application/json" }: Posting = {}
): Effect.Effect<Answer, never, Server> =>
  Effect.flatMap(Server, ({ port }) =>
    Effect.async<Answer>((resume) => {
      const sent = request({ host: "127.0.0.1", port, path: "/ai/mcp", method, agent: false }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8")
          const all = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
          resume(
            Effect.succeed({
              status: response.statusCode ?? 0,
              headers: new Headers(all),
              text,
              body: Option.getOrUndefined(parsed(text))
            })
          )
        })
      })
      sent.on("error", (error) => resume(Effect.die(error)))
      sent.setHeader("X-Forwarded-For", from)
      if (type !== null) sent.setHeader("Content-Type", type)
      for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value)
      sent.end(body ?? undefined)
      return Effect.sync(() => sent.destroy())
    })
  )

/** A JSON-RPC request, or a notification where there is no id. */
export const message = (method: string, params: object = {}, id: number | null = 1) => ({
  jsonrpc: "2.0",
  method,
  params,
  ...(id === null ? {} : { id })
})

export const toolCall = (name: string, args: unknown, id = 1) => message("tools/call", { name, arguments: args }, id)

/** One message, or a batch. */
export const post = (body: unknown, posting: Posting = {}) => postRaw(JSON.stringify(body), posting)

const Called = Schema.Struct({
  result: Schema.Struct({
    content: Schema.NonEmptyArray(Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })),
    isError: Schema.optional(Schema.Boolean),
    structuredContent: Schema.optional(Schema.Unknown)
  })
})

/** The result of a tool call; dies on anything else. */
export const called = (answer: Answer) =>
  Effect.map(Effect.orDie(Schema.decodeUnknown(Called)(answer.body)), ({ result }) => ({
    text: result.content[0].text,
    /** What a failed call says besides its envelope. */
    advice: result.content[1]?.text ?? "",
    structured: result.structuredContent,
    isError: result.isError === true
  }))

const Faulty = Schema.Struct({
  error: Schema.Struct({ code: Schema.Number, message: Schema.String, data: Schema.optional(Schema.Unknown) }),
  id: Schema.NullOr(Schema.Number)
})

/** The fault of a JSON-RPC error; dies on anything else. */
export const fault = (answer: Answer) =>
  Effect.map(Effect.orDie(Schema.decodeUnknown(Faulty)(answer.body)), ({ error, id }) => ({ ...error, id }))
