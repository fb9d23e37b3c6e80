// What others test servers with, over the built service: every scenario of @modelcontextprotocol/conformance in both eras,
// whose failures have to be those of expected-failures.json, each with its reason, and no others; and the inspector's command line.
// Both want Node 22: where this one is older, npm's own build of it is taken. What is fetched stays in node_modules/.cache.
//   npm run build && npm run mcp:conformance
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { resolve } from "node:path"

const folder = resolve("node_modules/.cache/quarry/mcp")
const own = Number(process.versions.node.split(".")[0]) >= 22
const packages = [
  "@modelcontextprotocol/conformance@0.2.0-alpha.12",
  "@modelcontextprotocol/inspector@2.12.0",
  ...(own ? [] : [`node-${process.platform}-${process.arch}@22`])
]
const marker = resolve(folder, "node_modules/@modelcontextprotocol/inspector")
mkdirSync(folder, { recursive: true })
if (!existsSync(marker)) {
  const flags = ["install", "--prefix", folder, "--ignore-scripts", "--no-save", "--no-audit", "--no-fund"]
  execFileSync("npm", [...flags, ...packages], { stdio: "inherit" })
}
const node = own ? process.execPath : resolve(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
const conformance = resolve(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
const inspector = resolve(folder, "node_modules/.bin/mcp-inspector")

/** A server for each part: one alone would use up the budget that a client has. */
const served = async (use) => {
  const server = spawn(process.execPath, ["dist/main.js"], {
    env: { PATH: process.env["PATH"], HOST: "127.0.0.1", PORT: "0", APP_ENV: "development", LOG_FORMAT: "json" },
    stdio: ["ignore", "ignore", "pipe"]
  })
  const url = await new Promise((answer) => {
    let log = ""
    server.stderr.on("data", (chunk) => {
      log += chunk
      const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(log)?.[1]
      if (port !== undefined) answer(`http://localhost:${port}/ai/mcp`)
    })
  })
  await use(url)
  server.kill()
}

const say = (line) => process.stdout.write(`${line}\n`)

const faults = []

/** Runs to the end whatever the exit code is: the suite has one for failures, expected or not. */
const run = (file, args) =>
  new Promise((answer) => {
    const child = spawn(node, [file, ...args], { stdio: ["ignore", "pipe", "pipe"], timeout: 300_000 })
    let output = ""
    child.stdout.on("data", (chunk) => (output += chunk))
    child.stderr.on("data", (chunk) => (output += chunk))
    child.on("close", (code) => answer({ code, output }))
  })

const expected = JSON.parse(readFileSync("tools/mcp/expected-failures.json", "utf8"))
for (const [revision, reasons] of Object.entries(expected)) {
  const results = resolve(folder, `results-${revision}`)
  rmSync(results, { recursive: true, force: true })
  const suite = ["--suite", "all", "--spec-version", revision, "--output-dir", results]
  await served((url) => run(conformance, ["server", "--url", url, ...suite]))
  const checks = readdirSync(results).flatMap((scenario) => {
    const name = scenario.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "")
    const found = JSON.parse(readFileSync(resolve(results, scenario, "checks.json"), "utf8"))
    return found.map(({ errorMessage, id, status }) => ({ key: `${name}/${id}`, status, errorMessage }))
  })
  const failed = checks.filter(({ status }) => status === "FAILURE")
  for (const { errorMessage, key } of failed) {
    if (reasons[key] === undefined) faults.push(`${revision} ${key}: ${errorMessage}`)
  }
  for (const key of Object.keys(reasons)) {
    if (!failed.some((one) => one.key === key)) faults.push(`${revision} ${key}: expected to fail, and did not`)
  }
  const passed = checks.filter(({ status }) => status === "SUCCESS").length
  say(
    `conformance ${revision}: ${passed} checks passed, ${failed.length} failed, ${Object.keys(reasons).length} expected to`
  )
}

const asked = [
  ["--method", "tools/list"],
  ["--method", "resources/list"],
  ["--method", "resources/templates/list"],
  ["--method", "prompts/list"],
  ["--method", "resources/read", "--uri", "quarry://usage"],
  ["--method", "prompts/get", "--prompt-name", "research", "--prompt-args", "topic=bridges"]
]
const inspect = async (transport, target) => {
  for (const args of asked) {
    const { code, output } = await run(inspector, ["--cli", ...target, ...args])
    if (code !== 0) faults.push(`inspector over ${transport}, ${args.join(" ")}: ${output.slice(0, 500)}`)
  }
  say(`inspector over ${transport}: ${asked.length} methods asked`)
}
await served((url) => inspect("HTTP", [url, "--transport", "http"]))
await inspect("stdio", ["node", resolve("dist/quarry-mcp.js")])

for (const fault of faults) say(fault)
process.exitCode = faults.length === 0 ? 0 : 1
