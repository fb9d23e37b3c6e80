import { Context, Effect, Layer, type Scope } from "effect"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { Server } from "./Server.ts"

const executablePath = process.env["QUARRY_CHROMIUM"] ?? "/usr/bin/chromium"

/** Why tests with a browser cannot run here; null when they can, and when nothing may be skipped. */
export const noBrowser: string | null =
  existsSync(executablePath) || process.env["QUARRY_NOTHING_SKIPPED"] === "1"
    ? null
    : `there is no ${executablePath}: apt-get install chromium`

/** Nothing but the pages that are visited asks for anything. */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

export class Chromium extends Context.Tag("quarry/test/Chromium")<Chromium, Browser>() {
  static readonly layer = Layer.scoped(
    Chromium,
    Effect.acquireRelease(
      Effect.promise(() => chromium.launch({ executablePath, args })),
      (browser) => Effect.promise(() => browser.close())
    )
  )
}

export interface Visit {
  readonly page: Page
  /** Requests to other hosts; they were refused. */
  readonly foreign: ReadonlyArray<string>
  /** Errors and warnings of the console, exceptions, and what the Content-Security-Policy forbade. */
  readonly complaints: ReadonlyArray<string>
  /** Requests to the service, as `path status`. */
  readonly answered: ReadonlyArray<string>
}

/** Opens a path of the service in a window of its own. */
export const visit = (path: string): Effect.Effect<Visit, never, Chromium | Server | Scope.Scope> =>
  Effect.gen(function* () {
    const browser = yield* Chromium
    const { baseUrl } = yield* Server
    const context = yield* Effect.acquireRelease(
      Effect.promise(() => browser.newContext({ viewport: { width: 1360, height: 900 } })),
      (opened) => Effect.promise(() => opened.close())
    )
    const foreign: Array<string> = []
    const complaints: Array<string> = []
    const answered: Array<string> = []
    return yield* Effect.promise(async () => {
      await context.route(
        (url) => url.origin !== baseUrl && url.protocol !== "data:" && url.protocol !== "blob:",
        (route, request) => {
          foreign.push(request.url())
          return route.abort()
        }
      )
      await context.exposeFunction("quarryForbidden", (directive: string) => {
        complaints.push(`Content-Security-Policy: ${directive}`)
      })
      await context.addInitScript(
        "addEventListener('securitypolicyviolation', (event) =>" +
          " quarryForbidden(event.effectiveDirective + ' ' + event.blockedURI))"
      )
      const page = await context.newPage()
      // Less than a test's, so that what was waited for is named.
      page.setDefaultTimeout(10_000)
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
      })
      page.on("pageerror", (error) => {
        complaints.push(error.message)
      })
      page.on("response", (response) => {
        if (response.url().startsWith(baseUrl)) {
          answered.push(`${response.url().slice(baseUrl.length)} ${response.status()}`)
        }
      })
      await page.goto(`${baseUrl}${path}`)
      return { page, foreign, complaints, answered }
    })
  })

/** A picture of the whole page for people, where `QUARRY_SCREENSHOTS` names a folder. */
export const screenshot = ({ page }: Visit, name: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    const folder = process.env["QUARRY_SCREENSHOTS"]
    if (folder === undefined) return
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`) })
    await page.screenshot({ path: join(folder, `${name}-whole.png`), fullPage: true })
  })
