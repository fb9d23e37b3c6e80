import { existsSync, readFileSync } from "node:fs"
import { type ServerResponse } from "node:http"
import { join } from "node:path"
import { type Behaviour } from "./Behaviour.ts"
import { type Asked, type Page, type Service, types } from "./Site.ts"
import { sites, type Upstream } from "./sites.ts"

const fixtures = join(process.cwd(), "test", "engines", "fixtures")
const endings = ["html", "json", "xml"] as const

/** The captured body of an engine; tests and scripts run from the project's root. */
const fixtureOf = (engine: Upstream, name: string, status: number, usual: string): Page => {
  // One block page may serve all kinds of an engine.
  const file = [name, name.replace(/^\w+\.(?=block$)/, "")]
    .flatMap((one) => endings.map((ending) => `${one}.${ending}`))
    .find((file) => existsSync(join(fixtures, engine, file)))
  if (file === undefined) {
    return { status: 599, type: "text/plain", body: `There is no fixture ${engine}/${name}.` }
  }
  const type = file.endsWith("html") ? types.html : usual
  return { status, type, body: readFileSync(join(fixtures, engine, file), "utf8") }
}

const foreign: Page = {
  status: 200,
  type: types.html,
  body: `<!DOCTYPE html><html><head><title>Welcome to the hotel network</title></head><body><h1>Welcome</h1>
<p>Accept the <a href="https://portal.example/terms">terms</a> to go on.</p></body></html>`
}

const noise = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 197 + 131) % 256))

const send = (response: ServerResponse, { body, status, type }: Page): void => {
  response.writeHead(status, { "Content-Type": type }).end(body)
}

const drip = (response: ServerResponse, type: string): void => {
  response.writeHead(200, { "Content-Type": type })
  const timer = setInterval(() => response.write(" "), 20)
  response.on("close", () => clearInterval(timer))
}

/** Answers, or does not, as told. */
export const perform = (
  engine: Upstream,
  service: Service,
  asked: Asked,
  behaviour: Behaviour,
  response: ServerResponse
): void => {
  const { kind, type } = service
  const isStep = service.isStep?.(asked) ?? false
  const page = (answer: Page | string | null): void => {
    if (answer === null) return fixture(`${kind}.block`, sites[engine].blockStatus)
    send(response, typeof answer === "string" ? { status: 200, type, body: answer } : answer)
  }
  const fixture = (name: string, status = 200): void => page(fixtureOf(engine, name, status, type))
  switch (behaviour._tag) {
    case "Captured":
      return fixture(isStep ? `${kind}.step` : (behaviour.name ?? kind))
    case "Empty":
      return fixture(isStep ? `${kind}.step` : `${kind}.empty`)
    case "Block":
      return fixture(`${kind}.block`, behaviour.status ?? sites[engine].blockStatus)
    case "RateLimited": {
      if (behaviour.retryAfter !== undefined) response.setHeader("Retry-After", behaviour.retryAfter)
      return page({ status: 429, type: "text/plain", body: "Too Many Requests" })
    }
    case "Status":
      return page({ status: behaviour.status, type: types.html, body: `<h1>${behaviour.status}</h1>` })
    case "Page":
      return page(behaviour.page)
    case "Generated":
      if (isStep) return fixture(`${kind}.step`)
      return page(service.generate(asked, { total: behaviour.total, name: behaviour.name ?? engine }))
    case "Hang":
      return
    case "Reset":
      return void response.destroy()
    case "EmptyBody":
      return page("")
    case "Garbage":
      if (behaviour.as === "html") return page(foreign)
      return void response.writeHead(200, { "Content-Type": type }).end(noise)
    case "Truncated":
      response.writeHead(200, { "Content-Type": type, "Content-Length": 100_000 })
      return void response.write("<html><body>", () => response.destroy())
    case "Endless":
      return drip(response, type)
    case "Big":
      return page("<div>".padEnd(10_000_000, " "))
    case "TlsError":
    case "Refused":
    case "NoSuchHost":
      // A connection from before the behaviour was set.
      return void response.destroy()
    case "Held":
      return void behaviour.until().finally(() => perform(engine, service, asked, behaviour.then, response))
  }
}
