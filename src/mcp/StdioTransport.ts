import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport
} from "@modelcontextprotocol/server"
import { Option } from "effect"
import { type Readable, type Writable } from "node:stream"
import { parseJson } from "../domain/BoundedJson.ts"
import { errorCodes, faultOf } from "./JsonRpc.ts"
import { idOf, isMessage, lenient, messagesOf, paramsProblem } from "./Messages.ts"

/** Maximum bytes of a message, the same as over HTTP. */
const longestMessage = 1_048_576

/** Milliseconds for running calls to finish after the client has closed its end. */
const drainTime = 10_000

const jsonOf = Option.liftThrowable(parseJson)

const asMessage = (value: unknown): value is JSONRPCMessage => isMessage(value)

/**
 * Transports messages as lines (MCP, "Transports", stdio). It is more lenient than the SDK's transport: it answers
 * invalid lines with an error, splits batches, and completes pending requests when a client closes only its end, so
 * that `quarry-mcp < messages` works.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  /** Resolves when the first message has been answered. */
  readonly answered: Promise<void>
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>

  readonly #input: Readable
  readonly #output: Writable
  readonly #unanswered = new Set<string | number>()
  #settle: () => void = () => undefined
  #hasAnswered: () => void = () => undefined
  #line: Array<Buffer> = []
  #length = 0
  #isEnding = false
  #isClosed = false

  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
    this.answered = new Promise((resolve) => (this.#hasAnswered = resolve))
    this.closed = new Promise((resolve) => (this.#settle = resolve))
  }

  start(): Promise<void> {
    this.#input.on("data", this.#onData).once("end", this.#onEnd).once("close", this.#onEnd).on("error", this.#onError)
    this.#output.on("error", this.#onError)
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve()
      this.#output.write(`${JSON.stringify(message)}\n`, () => {
        if ("id" in message && message.id !== undefined && !("method" in message)) this.#answered(message.id)
        resolve()
      })
    })
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    this.#isClosed = true
    this.#input.off("data", this.#onData).pause()
    this.onclose?.()
    this.#settle()
    return Promise.resolve()
  }

  readonly #onData = (chunk: Buffer): void => {
    let rest = chunk
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      this.#gather(rest.subarray(0, end))
      this.#endLine()
      rest = rest.subarray(end + 1)
    }
    this.#gather(rest)
  }

  readonly #onEnd = (): void => {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#endLine()
    setTimeout(() => void this.close(), drainTime).unref()
    // The message of the last line may not have reached the server object yet.
    setImmediate(() => this.#closeWhenDone())
  }

  /** A stream error means that the client no longer reads or writes. */
  readonly #onError = (error: Error): void => {
    this.onerror?.(error)
    void this.close()
  }

  #gather(part: Buffer): void {
    this.#length += part.length
    if (this.#length <= longestMessage) this.#line.push(part)
    else this.#line = []
  }

  #endLine(): void {
    const length = this.#length
    const text = Buffer.concat(this.#line).toString("utf8").trim()
    this.#line = []
    this.#length = 0
    if (length > longestMessage) {
      void this.#refuse(errorCodes.invalidRequest, `A message has at most ${longestMessage} bytes`)
    } else if (text !== "") {
      Option.match(jsonOf(text), {
        onNone: () => void this.#refuse(errorCodes.parse, "The line is not valid JSON"),
        onSome: (body) => {
          if (Array.isArray(body) && body.length === 0) void this.#refuse(errorCodes.invalidRequest, "An empty batch")
          else this.#take(messagesOf(body))
        }
      })
    }
  }

  #take(messages: ReadonlyArray<unknown>): void {
    for (const given of messages) {
      const message = lenient(given)
      if (!asMessage(message)) {
        void this.#refuse(errorCodes.invalidRequest, "Not a JSON-RPC 2.0 message", idOf(given))
        continue
      }
      if (isJSONRPCResponse(message)) continue
      const problem = paramsProblem(message)
      if (problem !== null) {
        void this.#refuse(errorCodes.invalidParams, problem, idOf(given))
        continue
      }
      if (isJSONRPCRequest(message)) this.#unanswered.add(message.id)
      this.onmessage?.(message)
      // The protocol never answers a cancelled request.
      if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
        const id = message.params?.["requestId"]
        if (typeof id === "string" || typeof id === "number") this.#answered(id)
      }
    }
  }

  #refuse(code: number, message: string, id: RequestId | null = null): Promise<void> {
    return new Promise((resolve) =>
      this.#output.write(`${JSON.stringify(faultOf({ code, message, id }))}\n`, () => resolve())
    )
  }

  #answered(id: string | number): void {
    this.#hasAnswered()
    this.#unanswered.delete(id)
    this.#closeWhenDone()
  }

  #closeWhenDone(): void {
    if (this.#isEnding && this.#unanswered.size === 0) void this.close()
  }
}
