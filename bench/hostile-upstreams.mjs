// Latency of normal requests while 200 hostile pages are being fetched all the time, each by another client.
// Normal ones are fetches of a small article and /health; the server's memory is watched as well.
//   npm run build && npm run bench:upstreams [seconds] [way,way or all]     without: bombs, drips and resets
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { brotliCompressSync, gzipSync } from "node:zlib"

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

const fetchUrl = (base, url, timeout) => `${base}/api/content/fetch?timeout=${timeout}&url=${encodeURIComponent(url)}`

/** A header that makes each request another client's: theirs is not the limit to be measured. */
const clientsOf = (prefix) => {
  let clients = 0
  return () => ({ "x-forwarded-for": `${prefix}.${++clients >> 16}.${(clients >> 8) & 255}.${clients & 255}` })
}

/** Its first line is for the parent. */
const tell = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)

const upstream = async () => {
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
  tell(ports)
}

/** Keeps so many hostile fetches going, each another client's, until stdin says to end; then tells what came of them. */
const attack = async ({ base, ports, paths }) => {
  const state = { going: true, outcomes: {} }
  const client = clientsOf(11)
  const attacker = async (number) => {
    // One request of each in five seconds, evenly spread: it is the pages that are hostile, not their number.
    await sleep((number * 5_000) / hostile)
    for (let index = number; state.going; index++) {
      const path = paths[index % paths.length]
      const url = `http://127.0.2.${index % 100}:${ports[10 + (index % 10)]}${path}?${index}`
      const started = performance.now()
      const response = await fetch(fetchUrl(base, url, 5), { headers: client() })
      const { details, error } = await response.json()
      const key = `${path} ${error ?? "200"} ${details?.reason ?? ""}`
      state.outcomes[key] = (state.outcomes[key] ?? 0) + 1
      await sleep(Math.max(0, 5_000 - performance.now() + started))
    }
  }
  process.stdin.once("data", () => (state.going = false))
  await Promise.all(Array.from({ length: hostile }, (_, index) => attacker(index)))
  tell(state.outcomes)
  process.exit(0)
}

/** This script in a process of its own: what upstreams and attackers do is neither the server's nor the client's work. */
const start = (role, ...parameters) =>
  spawn(process.execPath, [process.argv[1], role, ...parameters], { stdio: ["pipe", "pipe", "inherit"] })
const said = async (child) => JSON.parse(String((await once(child.stdout, "data"))[0]))

const serve = async () => {
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
  return { base, server }
}

const usual = "gzip,brotli,drip,reset,half"

const measure = async (seconds, named) => {
  const paths = named === "all" ? Object.keys(ways) : named.split(",").map((way) => `/${way}`)
  const web = start("upstream")
  const ports = await said(web)
  const { base, server } = await serve()
  const client = clientsOf(10)
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1024

  const timed = async (url) => {
    const started = performance.now()
    const response = await fetch(url, { headers: client() })
    await response.text()
    return { status: response.status, ms: performance.now() - started }
  }

  /** Normal requests at a steady pace, whatever becomes of those before; the milliseconds that each took. */
  const normal = async () => {
    const running = []
    const until = performance.now() + seconds * 1_000
    for (let index = 0; performance.now() < until; index++) {
      const host = `127.0.1.${index % 10}:${ports[index % 10]}`
      running.push(timed(index % 2 === 0 ? fetchUrl(base, `http://${host}/${index}`, 10) : `${base}/health`))
      await sleep(20)
    }
    const all = await Promise.all(running)
    const of = (which) => {
      const sorted = all
        .filter((_, index) => which(index))
        .map(({ ms }) => ms)
        .sort((a, b) => a - b)
      const at = (part) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] * 10) / 10
      return { p50: at(0.5), p99: at(0.99) }
    }
    const [whole, fetches, health] = [of(() => true), of((index) => index % 2 === 0), of((index) => index % 2 === 1)]
    return {
      requests: all.length,
      "not 200": all.filter(({ status }) => status !== 200).length,
      ...whole,
      "fetches p50": fetches.p50,
      "fetches p99": fetches.p99,
      "/health p99": health.p99
    }
  }

  await normal()
  const without = await normal()
  const before = memory()
  const attackers = start("attack", JSON.stringify({ base, ports, paths }))
  const state = { most: 0 }
  const watch = setInterval(() => (state.most = Math.max(state.most, memory())), 100)
  // All of them have begun by then.
  await sleep(6_000)
  const during = await normal()
  const outcomes = said(attackers)
  attackers.stdin.write("end")
  console.table({ without, [`with ${hostile} hostile`]: during })
  console.table(await outcomes)
  clearInterval(watch)
  console.log(
    `p99 ${(during.p99 / without.p99).toFixed(2)} times; memory ${Math.round(before)} MB before, ${Math.round(state.most)} MB at most`
  )
  server.kill("SIGKILL")
  web.kill("SIGKILL")
}

const [, , first = "10", second = usual] = process.argv
if (first === "upstream") await upstream()
else if (first === "attack") await attack(JSON.parse(second))
else await measure(Number(first), second)
