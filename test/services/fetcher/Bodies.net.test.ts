import { assert, describe, layer } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { type Socket } from "node:net"
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { type FetchFailed, type UrlNotAllowed } from "../../../src/domain/Failure.ts"
import { plainBytes } from "../../../src/services/extractor/worker/PlainBytes.ts"
import { type Fetched, Fetcher } from "../../../src/services/fetcher/Fetcher.ts"
import { plain, rawServer } from "../http-client/RawServer.ts"
import { testSettings } from "../../support/Settings.ts"

const MiB = 1024 * 1024
const loopback = Layer.provide(Fetcher.layer, testSettings({ FETCH_ALLOWED_NETWORKS: "127.0.0.0/8" }))

const text = "Grüße, 世界! ".repeat(5000)

/** The body, or why it could not be had, in fetching or in decompressing it. */
const outcomeOf = (fetching: Effect.Effect<Fetched, UrlNotAllowed | FetchFailed>) =>
  Effect.gen(function* () {
    const fetched = yield* Effect.either(fetching)
    if (Either.isLeft(fetched)) {
      const { left } = fetched
      return { bytes: null, reason: left.reason, status: left._tag === "FetchFailed" ? left.status_code : null }
    }
    return yield* plainBytes(fetched.right).pipe(
      Effect.match({
        onFailure: ({ reason }) => ({ bytes: null, reason, status: fetched.right.status }),
        onSuccess: (plain) => ({ bytes: Buffer.from(plain), reason: null, status: null })
      })
    )
  })

/** Fetches from a server that writes what it is told and then ends the connection, or keeps it open. */
const served = (write: (socket: Socket) => void) =>
  Effect.gen(function* () {
    const server = yield* rawServer(write)
    const fetcher = yield* Fetcher
    return yield* outcomeOf(fetcher.fetch(`http://127.0.0.1:${server.port}/`))
  }).pipe(Effect.scoped)

const head = (...headers: ReadonlyArray<string>): string => ["HTTP/1.1 200 OK", ...headers, "", ""].join("\r\n")

/** A body that was cut into chunks of one write each. */
const encoded =
  (encoding: string, body: Buffer, size = 1000) =>
  (socket: Socket) => {
    socket.write(head(`Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`))
    for (let start = 0; start < body.length; start += size) socket.write(body.subarray(start, start + size))
  }

/** Writes the same for as long as somebody takes it. */
const pour = (socket: Socket, block: Buffer): void => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on("drain", more)
  more()
}

const zeros = Buffer.alloc(32 * MiB)
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

layer(loopback, { excludeTestServices: true })("bodies", (it) => {
  it.scoped("are not downloaded where the media type says that there is no text", () =>
    Effect.gen(function* () {
      const endless = yield* served((socket) => {
        socket.write(head("Content-Type: image/png", `Content-Length: ${64 * MiB}`))
      })
      assert.deepStrictEqual(endless, { bytes: Buffer.alloc(0), reason: null, status: null })
    })
  )

  it.scoped("are not asked for their encoding where they are not read", () =>
    Effect.gen(function* () {
      for (const headers of [
        ["Content-Type: image/png", "Content-Length: 5"],
        ["Content-Type: text/html", "Content-Length: 0"]
      ]) {
        const outcome = yield* served((socket) => socket.write(head(...headers, "Content-Encoding: zstd")))
        assert.deepStrictEqual(outcome, { bytes: Buffer.alloc(0), reason: null, status: null })
      }
      // Its body never comes.
      const { reason } = yield* served((socket) => socket.write(head("Content-Encoding: zstd", "Content-Length: 5")))
      assert.strictEqual(reason, "undecodable")
    })
  )

  describe("are decompressed", () => {
    const source = Buffer.from(text)
    const cases: ReadonlyArray<readonly [string, Buffer]> = [
      ["gzip", gzipSync(source)],
      ["x-gzip", gzipSync(source)],
      ["GZIP", gzipSync(source)],
      ["gzip", Buffer.concat([gzipSync(source.subarray(0, 999)), gzipSync(source.subarray(999))])],
      ["deflate", deflateSync(source)],
      ["deflate", deflateRawSync(source)],
      ["br", brotliCompressSync(source)],
      ["identity", source],
      ["", source],
      ["gzip, br", brotliCompressSync(gzipSync(source))],
      ["deflate , identity, gzip", gzipSync(deflateSync(source))]
    ]
    for (const [index, [encoding, body]] of cases.entries()) {
      it.scoped(`as ${JSON.stringify(encoding)} says (${index})`, () =>
        Effect.gen(function* () {
          for (const size of [1000, 1_000_000]) {
            const { bytes, reason } = yield* served(encoded(encoding, body, size))
            assert.isNull(reason)
            assert.strictEqual(bytes?.toString("utf8"), text)
          }
          const { bytes } = yield* served(encoded(encoding, body.subarray(0, 0)))
          assert.strictEqual(bytes?.length, 0)
        })
      )
    }

    it.scoped("byte by byte", () =>
      Effect.gen(function* () {
        const body = deflateRawSync(Buffer.from("byte by byte"))
        const { bytes } = yield* served((socket) => {
          socket.setNoDelay(true).write(head("Content-Encoding: deflate", `Content-Length: ${body.length}`))
          const next = (index: number): void => {
            if (index < body.length) socket.write(body.subarray(index, index + 1), () => setImmediate(next, index + 1))
          }
          next(0)
        })
        assert.strictEqual(bytes?.toString(), "byte by byte")
      })
    )

    it.scoped("whatever follows the compressed stream", () =>
      Effect.gen(function* () {
        for (const [encoding, body] of [
          ["deflate", deflateSync(Buffer.from(text))],
          ["br", brotliCompressSync(Buffer.from(text))]
        ] as const) {
          const { bytes } = yield* served(encoded(encoding, Buffer.concat([body, Buffer.alloc(5000, 65)])))
          assert.strictEqual(bytes?.toString("utf8"), text)
        }
      })
    )
  })

  describe("that cannot be decoded are said to be", () => {
    it.scoped("for encodings that were not asked for, and for garbage", () =>
      Effect.gen(function* () {
        const garbage = Buffer.from("this is not compressed at all")
        for (const encoding of ["zstd", "compress", "gzip, zstd", "gzip, gzip, gzip, gzip", "gzip", "deflate", "br"]) {
          const { reason, status } = yield* served(encoded(encoding, garbage))
          assert.deepStrictEqual([encoding, reason, status], [encoding, "undecodable", 200])
        }
      })
    )

    it.scoped("for more than three encodings on top of each other, whole as they are", () =>
      Effect.gen(function* () {
        const three = gzipSync(gzipSync(gzipSync(Buffer.from(text))))
        const { bytes } = yield* served(encoded("gzip, gzip, gzip", three))
        assert.strictEqual(bytes?.toString("utf8"), text)
        const { reason, status } = yield* served(encoded("gzip, gzip, gzip, gzip", gzipSync(three)))
        assert.deepStrictEqual([reason, status], ["undecodable", 200])
      })
    )

    it.scoped("for a broken checksum", () =>
      Effect.gen(function* () {
        const body = gzipSync(Buffer.from(text))
        body.writeUInt32LE(0, body.length - 8)
        assert.strictEqual((yield* served(encoded("gzip", body))).reason, "undecodable")
      })
    )

    it.scoped("for chunks that are none", () =>
      Effect.gen(function* () {
        const { reason } = yield* served((socket) =>
          socket.end(`${head("Transfer-Encoding: chunked")}5\r\nhello\r\nnonsense\r\n`)
        )
        assert.strictEqual(reason, "undecodable")
      })
    )
  })

  describe("that are cut short are never short successes", () => {
    const cuts: ReadonlyArray<readonly [string, (socket: Socket) => void]> = [
      ["by length", (socket) => socket.end(`${head("Content-Length: 100")}only this`)],
      ["by length, closing", (socket) => socket.end(`${head("Content-Length: 100", "Connection: close")}only this`)],
      ["in a chunk", (socket) => socket.end(`${head("Transfer-Encoding: chunked")}64\r\nonly this`)],
      ["before the last chunk", (socket) => socket.end(`${head("Transfer-Encoding: chunked")}5\r\nhello\r\n`)],
      [
        "before the last chunk, closing",
        (socket) => socket.end(`${head("Transfer-Encoding: chunked", "Connection: close")}5\r\nhello\r\n`)
      ],
      ["before any of it", (socket) => socket.end(head("Content-Length: 100"))],
      [
        "by a reset",
        (socket) =>
          socket.write(`${head("Content-Length: 100")}only this`, () => setImmediate(() => socket.resetAndDestroy()))
      ]
    ]
    for (const [name, write] of cuts) {
      it.scoped(name, () =>
        Effect.gen(function* () {
          const { reason, status } = yield* served(write)
          assert.deepStrictEqual([reason, status], ["truncated", 200])
        })
      )
    }

    it.scoped("inside their compression", () =>
      Effect.gen(function* () {
        const source = Buffer.from(text)
        for (const [encoding, body] of [
          ["gzip", gzipSync(source)],
          ["deflate", deflateSync(source)],
          ["deflate", deflateRawSync(source)],
          ["br", brotliCompressSync(source)]
        ] as const) {
          for (const cut of [body.subarray(0, body.length >> 1), body.subarray(0, 2)]) {
            const { reason } = yield* served((socket) =>
              socket.end(Buffer.concat([Buffer.from(head(`Content-Encoding: ${encoding}`)), cut]))
            )
            assert.deepStrictEqual([encoding, reason], [encoding, "truncated"])
          }
        }
      })
    )
  })

  describe("that are too large are stopped", () => {
    it.scoped("at 10 MiB and one byte, not at 10 MiB", () =>
      Effect.gen(function* () {
        const most = Buffer.alloc(10 * MiB, "a")
        const whole = yield* served((socket) => socket.end(Buffer.concat([Buffer.from(head()), most])))
        assert.strictEqual(whole.bytes?.length, 10 * MiB)
        const over = yield* served((socket) => socket.end(Buffer.concat([Buffer.from(head()), most, Buffer.from("a")])))
        assert.deepStrictEqual([over.reason, over.status], ["too_large", 200])
      })
    )

    it.scoped("before they come, when they say so", () =>
      Effect.gen(function* () {
        const { reason } = yield* served((socket) => socket.write(head("Content-Length: 10485761")))
        assert.strictEqual(reason, "too_large")
      })
    )

    it.scoped("when they never end", () =>
      Effect.gen(function* () {
        const { reason } = yield* served((socket) => {
          socket.write(head())
          pour(socket, Buffer.alloc(64 * 1024, "x"))
        })
        assert.strictEqual(reason, "too_large")
      })
    )

    const bombs: ReadonlyArray<readonly [string, string, () => Buffer]> = [
      ["gzip", "gzip", () => gzipSync(zeros)],
      ["deflate", "deflate", () => deflateSync(zeros)],
      ["raw deflate", "deflate", () => deflateRawSync(zeros)],
      ["br", "br", () => brotliCompressSync(zeros, fast)],
      ["gzip in gzip", "gzip, gzip", () => gzipSync(gzipSync(zeros))],
      [
        "gzip in members",
        "gzip",
        () => Buffer.concat(Array.from({ length: 200 }, () => gzipSync(zeros.subarray(0, 100_000))))
      ]
    ]
    for (const [name, encoding, make] of bombs) {
      it.scoped(`when they are a bomb of ${name}`, () =>
        Effect.gen(function* () {
          const { reason, status } = yield* served(encoded(encoding, make()))
          assert.deepStrictEqual([reason, status], ["too_large", 200])
        })
      )
    }

    it.scoped("in crumbs, long before they are large", () =>
      Effect.gen(function* () {
        const crumbs = Buffer.from("1\r\nx\r\n".repeat(8_000))
        const { reason } = yield* served((socket) => {
          socket.write(head("Transfer-Encoding: chunked"))
          pour(socket, crumbs)
        })
        assert.strictEqual(reason, "too_large")
      })
    )

    const floods: ReadonlyArray<readonly [string, string, string]> = [
      ["interim answers", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"],
      ["interim answers with long heads", "", `HTTP/1.1 103 Early Hints\r\nX: ${"a".repeat(12_000)}\r\n\r\n`],
      ["line ends before the head", "", "\r\n".repeat(30_000)],
      ["words of the status", "HTTP/1.1 200 ", "OK ".repeat(20_000)],
      ["extensions of a chunk", `${head("Transfer-Encoding: chunked")}1;a=`, "b".repeat(60_000)],
      [
        "extensions of all chunks",
        head("Transfer-Encoding: chunked"),
        `1000;a=${"b".repeat(12_000)}\r\n${"x".repeat(4096)}\r\n`
      ],
      ["zeros of a chunk's size", `${head("Transfer-Encoding: chunked")}0`, "0".repeat(60_000)]
    ]
    for (const [name, start, flood] of floods) {
      it.scoped(`when ${name} never end`, () =>
        Effect.gen(function* () {
          const { reason } = yield* served((socket) => {
            socket.write(start)
            pour(socket, Buffer.from(flood))
          })
          assert.oneOf(reason, ["too_large", "undecodable"])
        })
      )
    }

    it.scoped("though the server ends the connection behind them, many at once", () =>
      Effect.gen(function* () {
        const page = gzipSync(Buffer.from("<p>An ordinary paragraph of a long page.</p>\n".repeat(60_000)))
        const bomb = gzipSync(zeros)
        const ended = (body: Buffer) =>
          served((socket) => {
            socket.end(Buffer.concat([Buffer.from(head("Content-Encoding: gzip", "Connection: close")), body]))
          })
        const outcomes = yield* Effect.all(
          [page, bomb, page, bomb, page, page, bomb, page, page, bomb, page].map(ended),
          {
            concurrency: "unbounded"
          }
        )
        assert.deepStrictEqual(
          outcomes.map(({ bytes, reason }) => bytes?.length ?? reason),
          ["page", "bomb", "page", "bomb", "page", "page", "bomb", "page", "page", "bomb", "page"].map((kind) =>
            kind === "page" ? 60_000 * 45 : "too_large"
          )
        )
      })
    )

    it.scoped("between two of their encodings, however little comes out of the last", () =>
      Effect.gen(function* () {
        // What follows a deflated stream counts for nothing.
        const padded = gzipSync(Buffer.concat([deflateSync(Buffer.from("small")), zeros]))
        const { reason, status } = yield* served(encoded("deflate, gzip", padded))
        assert.deepStrictEqual([reason, status], ["too_large", 200])
      })
    )

    it.scoped("when they grow as no page does, long before 10 MiB", () =>
      Effect.gen(function* () {
        const large = zeros.subarray(0, 4 * MiB)
        const { reason, status } = yield* served(encoded("br", brotliCompressSync(large, fast)))
        assert.deepStrictEqual([reason, status], ["too_large", 200])
        // As far as gzip can go, and as large as anything may become.
        assert.strictEqual((yield* served(encoded("gzip", gzipSync(large)))).bytes?.length, 4 * MiB)
        const small = brotliCompressSync(zeros.subarray(0, MiB), fast)
        assert.strictEqual((yield* served(encoded("br", small))).bytes?.length, MiB)
      })
    )

    it.scoped("when a bomb never ends", () =>
      Effect.gen(function* () {
        const { reason } = yield* served((socket) => {
          socket.write(head("Content-Encoding: gzip"))
          pour(socket, gzipSync(zeros))
        })
        assert.strictEqual(reason, "too_large")
      })
    )
  })

  it.scoped("of errors are not read at all", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.write(plain("404 Not Found", []).replace(": 0", ": 99")))
      const fetcher = yield* Fetcher
      const error = yield* Effect.flip(fetcher.fetch(`http://127.0.0.1:${server.port}/`))
      assert.strictEqual(error.reason, "http_status")
      yield* server.closed
    })
  )
})
