// Requests per second of /health and of a cached search, beside a bare node:http server that sends the same bytes.
// Every request comes from another client (X-Forwarded-For), or the rate limit would be what is measured.
//   npm run build && node bench/serve.mjs [seconds]
import autocannon from "autocannon"
import { spawn } from "node:child_process"
import { createServer } from "node:http"
import { once } from "node:events"

const duration = Number(process.argv[2] ?? 5)

const address = () => Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 223)).join(".")

const load = async (url) => {
  const run = (seconds) =>
    autocannon({
      url,
      connections: 64,
      duration: seconds,
      requests: [{ setupRequest: (request) => ({ ...request, headers: { "x-forwarded-for": address() } }) }]
    })
  await run(2)
  const { requests, latency, non2xx } = await run(duration)
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, non2xx }
}

const bare = async (body) => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json")
    response.end(body)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}

const web = spawn(process.execPath, ["test/support/bundled.mjs", "test/support/demo.ts", "generated"], {
  env: { ...process.env, LOG_LEVEL: "error" },
  stdio: ["ignore", "pipe", "inherit"]
})
const base = await new Promise((resolve) => {
  let output = ""
  web.stdout.on("data", (chunk) => {
    output += chunk
    const found = /http:\/\/[^\s"]+:\d+/.exec(output)
    if (found && output.includes("Ctrl-C")) resolve(found[0])
  })
})

const rows = []
for (const path of ["/health", "/api/search/text?q=needle&max_results=10"]) {
  const body = await (await fetch(base + path)).text()
  const reference = await bare(body)
  const quarry = await load(base + path)
  const node = await load(reference.url)
  reference.close()
  rows.push({
    path,
    bytes: body.length,
    "quarry req/s": Math.round(quarry.perSecond),
    "p50 ms": quarry.p50,
    "p99 ms": quarry.p99,
    "node:http req/s": Math.round(node.perSecond),
    ratio: (quarry.perSecond / node.perSecond).toFixed(2),
    "not 2xx": quarry.non2xx
  })
}
console.table(rows)
web.kill("SIGINT")
