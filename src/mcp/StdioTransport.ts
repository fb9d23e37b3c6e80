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

/** Bytes of one message, as over HTTP. */
const longestMessage = 1_048_576

/** Milliseconds for what runs when the client hangs up. */
const drainTime = 10_000

const jsonOf = Option.liftThrowable(parseJson)

const asMessage = (value: unknown): value is JSONRPCMessage => isMessage(value)

/**
 * Messages as lines (MCP, "Transports", stdio). More forgiving than the SDK's own: lines that are no message are
 * answered with what is wrong with them, batches are taken apart, and a client that only closes its end still gets the
 * answers that it waits for, so that `quarry-mcp < messages` works.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  /** Settled when the first message was answered. */
  readonly answered: Promise<void>
  /** Settled when either side has ended the conversation. */
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
    // What came with the last line is still on its way to the server object.
    setImmediate(() => this.#closeWhenDone())
  }

  /** A client that does not read any more has gone. */
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
      // The protocol answers a cancelled request never.
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
