// The stdio server as clients start it: milliseconds to the answer of `initialize`, and a long conversation: whether stdout
// holds nothing but the protocol, and whether memory stays flat.
//   npm run build && node bench/stdio.mjs [calls] [starts]
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createInterface } from "node:readline"

const [, , calls = "10000", starts = "15"] = process.argv

const open = () => {
  const child = spawn(process.execPath, ["dist/quarry-mcp.js"], {
    env: { PATH: process.env["PATH"], LOG_LEVEL: "trace" },
    stdio: ["pipe", "pipe", "ignore"]
  })
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

const say = ({ child }, id, method, params = {}) =>
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)

const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" }
}

const started = async () => {
  const from = performance.now()
  const server = open()
  say(server, 0, "initialize", initialize)
  await server.lines.next()
  const took = performance.now() - from
  server.child.kill("SIGKILL")
  await once(server.child, "close")
  return took
}

const times = []
for (let index = 0; index < Number(starts); index++) times.push(await started())
times.sort((one, other) => one - other)
const at = (part) => Math.round(times[Math.floor(part * (times.length - 1))])
console.log(`start to the answer of initialize: median ${at(0.5)} ms, best ${at(0)} ms, worst ${at(1)} ms`)

/** Kept in memory by the process, in MiB. */
const resident = async (pid) => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024)
}

/** What costs no other host a request: arguments that are wrong, URLs that are refused, lists, resources, prompts. */
const turns = [
  ["tools/call", { name: "search_web", arguments: { max_results: 0 } }],
  ["tools/call", { name: "fetch_multiple_contents", arguments: { urls: ["http://10.0.0.1/", "http://127.0.0.1/"] } }],
  ["tools/list", {}],
  ["resources/read", { uri: "quarry://engines" }],
  ["prompts/get", { name: "research", arguments: { topic: "bridges" } }]
]

const server = open()
say(server, 0, "initialize", initialize)
await server.lines.next()
const from = performance.now()
const total = Number(calls)
const memory = []
for (let id = 1; id <= total; id++) {
  say(server, id, ...turns[id % turns.length])
  const { value } = await server.lines.next()
  const answer = JSON.parse(value)
  if (answer.jsonrpc !== "2.0" || answer.id !== id || answer.result === undefined) throw new Error(value)
  if (id % (total / 10) === 0) memory.push(await resident(server.child.pid))
}
const seconds = (performance.now() - from) / 1000
server.child.stdin.end()
const [code] = await once(server.child, "close")
console.log(`${total} calls in ${seconds.toFixed(1)} s, exit code ${code}, nothing but messages on stdout`)
console.log(`MiB resident after each tenth: ${memory.join(" ")}`)
