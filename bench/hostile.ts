// What hostile pages cost over the real server: milliseconds, memory, and how long /health takes meanwhile.
//   npm run build && npm run bench:hostile [part of a name]
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { hostilePages } from "../test/support/content/hostile.ts"

const formats = ["text", "markdown", "html"] as const
const mebibyte = 1024 * 1024

const served = new Map<string, Buffer>()
const web = createServer((request, response) => {
  const name = (request.url ?? "/").slice(1)
  response.writeHead(200, { "Content-Type": hostilePages[name]?.contentType ?? "text/html" }).end(served.get(name))
}).listen(0, "127.0.0.1")
await once(web, "listening")
const address = web.address()
const base = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`

const start = async () => {
  const child = spawn(process.execPath, ["dist/main.js"], {
    env: {
      PATH: process.env["PATH"],
      HOST: "127.0.0.1",
      PORT: "0",
      APP_ENV: "development",
      TRUST_PROXY: "1",
      FETCH_ALLOWED_NETWORKS: "127.0.0.0/8"
    },
    stdio: ["ignore", "ignore", "pipe"]
  })
  let said = ""
  for await (const chunk of child.stderr) {
    said += String(chunk)
    const found = /http:\/\/[^\s"\\]+:\d+/.exec(said)
    if (found !== null) return { child, url: found[0] }
  }
  throw new Error(said)
}

/** Kibibytes of a line of /proc/<pid>/status, in MB. */
const memory = (pid: number | undefined, line: "VmHWM" | "VmRSS"): number =>
  (Number(new RegExp(`${line}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024) / mebibyte

/** Milliseconds that all threads of a process have used, of /proc/<pid>/stat, which counts hundredths of a second. */
const used = (pid: number | undefined): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

let client = 0
const ask = (url: string) =>
  fetch(url, { headers: { "X-Forwarded-For": `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client++ & 255}` } })

/** The slowest answer of /health until `done`. */
const watch = async (url: string, state: { done: boolean }): Promise<number> => {
  let slowest = 0
  while (!state.done) {
    const started = performance.now()
    await (await ask(`${url}/health`)).text()
    slowest = Math.max(slowest, performance.now() - started)
    await sleep(5)
  }
  return slowest
}

const measure = async (url: string, name: string, format: string) => {
  const state = { done: false }
  const health = watch(url, state)
  const started = performance.now()
  const answer = await ask(
    `${url}/api/content/fetch?${new URLSearchParams({ url: `${base}/${name}`, format, timeout: "30" })}`
  )
  const text = await answer.text()
  const took = performance.now() - started
  state.done = true
  return { took, health: await health, status: answer.status, cut: text.includes('"truncated_input":true') }
}

const rowOf = async (name: string) => {
  const page = hostilePages[name]
  if (page === undefined) return []
  served.set(name, Buffer.from(page.body()))
  const { child, url } = await start()
  // The threads are there, and what is measured is the page.
  served.set("warm", Buffer.from("<p>A page that everybody can read.</p>"))
  await measure(url, "warm", "text")
  const before = memory(child.pid, "VmRSS")
  writeFileSync(`/proc/${child.pid}/clear_refs`, "5")
  const found = []
  let cpu = 0
  for (const format of formats) {
    const start = used(child.pid)
    found.push(await measure(url, name, format))
    cpu = Math.max(cpu, used(child.pid) - start)
  }
  const [text, markdown, html] = found
  const row = {
    name,
    MB: (served.get(name)?.length ?? 0) / 1e6,
    text: Math.round(text?.took ?? 0),
    markdown: Math.round(markdown?.took ?? 0),
    html: Math.round(html?.took ?? 0),
    // Of the dearest format, garbage collection in other threads and /health counted in.
    "CPU ms": cpu,
    health: Math.round(Math.max(...found.map(({ health }) => health))),
    "RSS +MiB": Math.round(memory(child.pid, "VmHWM") - before),
    "peak MiB": Math.round(memory(child.pid, "VmHWM")),
    answer: found.map(({ cut, status }) => `${status}${cut ? " cut" : ""}`).join(", ")
  }
  served.delete(name)
  child.kill("SIGKILL")
  await once(child, "exit")
  return [row]
}

const rows: Array<Awaited<ReturnType<typeof rowOf>>[number]> = []
for (const name of Object.keys(hostilePages)) {
  if (name.includes(process.argv[3] ?? "")) rows.push(...(await rowOf(name)))
}
console.table(rows)
const worst = (figure: (row: (typeof rows)[number]) => number) => Math.max(...rows.map(figure))
console.log(
  `slowest ${worst((row) => Math.max(row.text, row.markdown, row.html))} ms, /health ${worst(({ health }) => health)} ms, ` +
    `CPU ${worst((row) => row["CPU ms"])} ms, memory +${worst((row) => row["RSS +MiB"])} MiB, peak ${worst((row) => row["peak MiB"])} MiB`
)
web.close()
