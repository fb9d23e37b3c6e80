// Latency of normal requests while 200 hostile pages are being fetched: bombs, drips, resets, silence.
// Normal ones are fetches of a small article, cached searches and /health; the server's memory is watched as well.
//   npm run build && node bench/hostile-upstreams.mjs [seconds]
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { brotliCompressSync, gzipSync } from "node:zlib"

const seconds = Number(process.argv[2] ?? 10)
const hostile = 200

const article = `<!doctype html><title>Normal</title><article>${"<p>A paragraph of an ordinary page, as there are many.</p>".repeat(60)}</article>`
const gzipBomb = gzipSync(Buffer.alloc(256 * 1024 * 1024))
const brotliBomb = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024))
const html = { "content-type": "text/html" }

const dripping = (response, piece, every) => {
  response.writeHead(200, html)
  const timer = setInterval(() => response.write(piece), every)
  response.on("close", () => clearInterval(timer))
}

const ways = {
  "/gzip": (_, response) => response.writeHead(200, { ...html, "content-encoding": "gzip" }).end(gzipBomb),
  "/brotli": (_, response) => response.writeHead(200, { ...html, "content-encoding": "br" }).end(brotliBomb),
  "/drip": (_, response) => dripping(response, "<p>", 50),
  "/flood": (_, response) => dripping(response, "x".repeat(65_536), 20),
  "/reset": (request) => request.socket.destroy(),
  "/half": (request, response) => {
    response.writeHead(200, { ...html, "content-length": "1000000" })
    response.write("<p>half", () => setTimeout(() => request.socket.destroy(), 300))
  },
  "/silence": () => undefined,
  "/headers": (request) => {
    const timer = setInterval(() => request.socket.write("X-A: b\r\n"), 50)
    request.socket.write("HTTP/1.1 200 OK\r\n")
    request.socket.on("close", () => clearInterval(timer)).on("error", () => undefined)
  },
  "/loop": (_, response) => response.writeHead(302, { location: "/loop" }).end(),
  "/deep": (_, response) => response.writeHead(200, html).end("<div>".repeat(100_000))
}

/** Upstreams run in a process of their own: their work is not the server's. */
if (process.argv[2] === "upstream") {
  const ports = []
  for (let index = 0; index < 20; index++) {
    const server = createServer((request, response) => {
      response.on("error", () => undefined)
      const way = ways[request.url.split("?")[0]]
      if (way === undefined) response.writeHead(200, html).end(article)
      else way(request, response)
    }).listen(0, "0.0.0.0")
    await once(server, "listening")
    ports.push(server.address().port)
  }
  process.stdout.write(`${JSON.stringify(ports)}\n`)
} else {
  const upstream = spawn(process.execPath, [process.argv[1], "upstream"], { stdio: ["ignore", "pipe", "inherit"] })
  const ports = JSON.parse(String((await once(upstream.stdout, "data"))[0]))
  const server = spawn(process.execPath, ["dist/main.js"], {
    env: {
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      PORT: "0",
      TRUST_PROXY: "1",
      FETCH_ALLOWED_NETWORKS: "127.0.0.0/8",
      LOG_FORMAT: "json"
    },
    stdio: ["ignore", "ignore", "pipe"]
  })
  const base = await new Promise((resolve) => {
    let text = ""
    server.stderr.on("data", (chunk) => {
      text += chunk
      const found = /http:\/\/[^\s"]+:\d+/.exec(text)
      if (found) resolve(found[0])
    })
  })

  let clients = 0
  const from = (prefix) => ({
    "x-forwarded-for": `${prefix}.${++clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`
  })
  const fetchUrl = (url, timeout) => `${base}/api/content/fetch?timeout=${timeout}&url=${encodeURIComponent(url)}`

  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1024

  const timed = async (url) => {
    const started = performance.now()
    const response = await fetch(url, { headers: from(10) })
    await response.text()
    return { status: response.status, ms: performance.now() - started }
  }

  /** Normal requests at a steady pace, whatever becomes of those before; the milliseconds that each took. */
  const normal = async () => {
    const running = []
    const until = performance.now() + seconds * 1_000
    for (let index = 0; performance.now() < until; index++) {
      const host = `127.0.1.${index % 10}:${ports[index % 10]}`
      running.push(timed(index % 2 === 0 ? fetchUrl(`http://${host}/${index}`, 10) : `${base}/health`))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const all = await Promise.all(running)
    const sorted = all.map(({ ms }) => ms).sort((a, b) => a - b)
    const at = (part) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] * 10) / 10
    return {
      requests: all.length,
      "not 200": all.filter(({ status }) => status !== 200).length,
      p50: at(0.5),
      p99: at(0.99)
    }
  }

  /** Keeps so many hostile fetches going, each another client's, until told to end. */
  const attack = () => {
    const state = { going: true, outcomes: {}, most: 0 }
    const paths = process.env.WAYS?.split(",") ?? Object.keys(ways)
    const attacker = async (index) => {
      while (state.going) {
        const path = paths[index++ % paths.length]
        const url = `http://127.0.2.${index % 100}:${ports[10 + (index % 10)]}${path}?${index}`
        const started = performance.now()
        const response = await fetch(fetchUrl(url, 5), { headers: from(11) })
        const { details, error } = await response.json()
        const key = `${path} ${error ?? "200"} ${details?.reason ?? ""}`
        state.outcomes[key] = (state.outcomes[key] ?? 0) + 1
        // One request of each in five seconds: it is the pages that are hostile, not their number.
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, 5_000 - performance.now() + started)))
      }
    }
    const all = Promise.all(Array.from({ length: hostile }, (_, index) => attacker(index)))
    const watch = setInterval(() => (state.most = Math.max(state.most, memory())), 100)
    return async () => {
      state.going = false
      await all
      clearInterval(watch)
      return state
    }
  }

  await normal()
  const without = await normal()
  const before = memory()
  const end = attack()
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const during = await normal()
  const { most, outcomes } = await end()
  console.table({ without, [`with ${hostile} hostile`]: during })
  console.log(
    `p99 ${(during.p99 / without.p99).toFixed(2)} times; memory ${Math.round(before)} MB before, ${Math.round(most)} MB at most`
  )
  console.table(outcomes)
  server.kill("SIGKILL")
  upstream.kill("SIGKILL")
}
