import { Either, Schema } from "effect"
import { parseJson } from "../../domain/BoundedJson.ts"
import { InvalidParameters, MalformedJson } from "../../domain/Failure.ts"

const Request = Schema.TaggedStruct("Request", {
  id: Schema.String.pipe(Schema.pattern(/^(?:0|[1-9]\d{0,19})$/)),
  tag: Schema.String,
  payload: Schema.optional(Schema.Unknown)
})

/** A call of a procedure. */
export type Request = typeof Request.Type

/**
 * Messages that a client of @effect/rpc writes. Over HTTP, a connection is a single POST, so acknowledgements and
 * interrupts have no effect.
 */
const Message = Schema.Union(Request, Schema.Struct({ _tag: Schema.Literal("Ping", "Eof", "Ack", "Interrupt") }))

/** Maximum messages in one POST; clients send one. */
const mostMessages = 100

const json = (text: string) => Either.try(() => parseJson(text))
const message = Schema.decodeUnknownEither(Message)

const invalid = (field: string, wrong: string) =>
  new InvalidParameters({ problems: [{ in: "body", field, message: wrong }] })

/** Parses the messages of a body, one JSON object per line. */
export const messagesOf = (
  body: string
): Either.Either<ReadonlyArray<typeof Message.Type>, MalformedJson | InvalidParameters> =>
  Either.gen(function* () {
    const lines = body.split("\n").flatMap((text, index) => (text.trim() === "" ? [] : [{ text, number: index + 1 }]))
    if (lines.length > mostMessages) yield* Either.left(invalid("", `must hold at most ${mostMessages} requests`))
    const messages: Array<typeof Message.Type> = []
    const ids = new Set<string>()
    for (const { number, text } of lines) {
      const value = yield* Either.mapLeft(
        json(text),
        () => new MalformedJson({ reason: `Line ${number} is not valid JSON of at most 64 levels.` })
      )
      const read = yield* Either.mapLeft(message(value), () =>
        invalid(`line ${number}`, 'must be { "_tag": "Request", "id": "1", "tag": "text", "payload": { ... } }')
      )
      if (read._tag === "Request") {
        if (ids.has(read.id)) yield* Either.left(invalid(`line ${number}`, "must have an id that no other request has"))
        ids.add(read.id)
      }
      messages.push(read)
    }
    return messages.length === 0 ? yield* Either.left(invalid("", "must hold a request")) : messages
  })
