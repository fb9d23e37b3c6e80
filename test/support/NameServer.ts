import { Effect, type Scope } from "effect"
import { createSocket } from "node:dgram"
import { EventEmitter, once } from "node:events"

export interface NameServer {
  /** As `dns.setServers` takes it. */
  readonly address: string
  /** The names asked for, in lower case, each with its type. */
  readonly asked: Effect.Effect<ReadonlyArray<string>>
  /** Waits until each of these has been asked for, of one type or both. */
  readonly arrived: (names: ReadonlyArray<string>) => Effect.Effect<void>
}

/** What a name server says to a question (A or AAAA): addresses, none, no such name, or nothing at all. */
export type Says = ReadonlyArray<string> | "NXDOMAIN" | "silence"

const types: Readonly<Record<number, "A" | "AAAA">> = { 1: "A", 28: "AAAA" }

/** RFC 1035, 4.1: the one question of a query. */
const questionOf = (query: Buffer) => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString("latin1"))
    at += 1 + length
  }
  const end = at + 5
  return {
    name: labels.join(".").toLowerCase(),
    type: types[query.readUInt16BE(at + 1)],
    bytes: query.subarray(12, end)
  }
}

const bytesOf = (address: string): Buffer =>
  address.includes(":")
    ? Buffer.from(
        address
          .replace("::", `:${"0:".repeat(9 - address.split(":").length)}`)
          .replace(/^:/, "")
          .replace(/:$/, ":0")
          .split(":")
          .map((group) => group.padStart(4, "0"))
          .join(""),
        "hex"
      )
    : Buffer.from(address.split(".").map(Number))

const header = (query: Buffer, code: number, answers: number) => {
  const bytes = Buffer.alloc(12)
  query.copy(bytes, 0, 0, 2)
  bytes.writeUInt16BE(0x8180 | code, 2)
  bytes.writeUInt16BE(1, 4)
  bytes.writeUInt16BE(answers, 6)
  return bytes
}

const record = (type: "A" | "AAAA", address: string) => {
  const data = bytesOf(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type === "A" ? 1 : 28, 2)
  head.writeUInt16BE(1, 4)
  // Nobody may keep it.
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

interface Bound {
  readonly socket: ReturnType<typeof createSocket>
  readonly asked: Array<string>
  readonly arrivals: EventEmitter
}

/** A DNS server on UDP that says what a test wants; `times` counts the questions of a name and type from 0. */
export const nameServer = (
  says: (name: string, type: "A" | "AAAA", times: number) => Says
): Effect.Effect<NameServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Bound>((resume) => {
      const asked: Array<string> = []
      const arrivals = new EventEmitter()
      const socket = createSocket("udp4")
      socket.on("message", (query, { address, port }) => {
        const { bytes, name, type } = questionOf(query)
        if (type === undefined) return
        const question = `${name} ${type}`
        const answer = says(name, type, asked.filter((one) => one === question).length)
        asked.push(question)
        arrivals.emit("question")
        if (answer === "silence") return
        const records = answer === "NXDOMAIN" ? [] : answer.map((each) => record(type, each))
        const head = header(query, answer === "NXDOMAIN" ? 3 : 0, records.length)
        socket.send(Buffer.concat([head, bytes, ...records]), port, address)
      })
      socket.bind(0, "127.0.0.1", () => resume(Effect.succeed({ socket, asked, arrivals })))
    }),
    ({ socket }) => Effect.async<void>((resume) => void socket.close(() => resume(Effect.void)))
  ).pipe(
    Effect.map(({ arrivals, asked, socket }) => ({
      address: `127.0.0.1:${socket.address().port}`,
      asked: Effect.sync(() => [...asked]),
      arrived: (names) =>
        Effect.promise(async () => {
          const isMissing = (name: string) => !asked.some((question) => question.startsWith(`${name} `))
          while (names.some(isMissing)) await once(arrivals, "question")
        })
    }))
  )
