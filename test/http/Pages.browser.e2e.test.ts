import { OpenApi } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, it as plain } from "vitest"
import { Api } from "../../src/http/Api.ts"
import { Chromium, noBrowser, screenshot, visit, type Visit } from "../support/Browser.ts"
import { quarry } from "../support/Quarry.ts"
import { Server } from "../support/Server.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { isSlow } from "../support/Cases.ts"

const operations = Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, methods]) =>
  Object.values(methods).map(({ operationId, summary = "" }) => ({ path, operationId, summary }))
)

const isSilent = ({ complaints, foreign }: Visit) => {
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
}

/** Swagger UI's box of the operation of a path. */
const operationAt = ({ page }: Visit, path: string) =>
  page.locator(".opblock").filter({ has: page.locator(`[data-path="${path}"]`) })

const tests = () => {
  layer(Layer.merge(quarry(), Chromium.layer), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    if (isSlow)
      it.scoped("/docs lists every operation", () =>
        Effect.gen(function* () {
          const { baseUrl } = yield* Server
          const visited = yield* visit("/docs")
          const { page } = visited
          yield* Effect.promise(async () => {
            await page
              .locator(".opblock")
              .nth(operations.length - 1)
              .waitFor()
            expect(await page.title()).toContain("Quarry")
            expect(await page.locator(".opblock").count()).toBe(operations.length)
            for (const { path, summary } of operations) {
              const block = operationAt(visited, path)
              expect(await block.locator(".opblock-summary-description").textContent()).toBe(summary)
            }
            expect(await page.locator(".info").textContent()).toContain(`curl '${baseUrl}/api/search/text`)
          })
          yield* screenshot(visited, "docs")
          isSilent(visited)
        })
      )

    it.scoped("/docs tries a text search out", () =>
      Effect.gen(function* () {
        yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.captured))
        const visited = yield* visit("/docs")
        const block = operationAt(visited, "/api/search/text")
        yield* Effect.promise(async () => {
          await block.locator(".opblock-summary-control").click()
          await block.getByRole("button", { name: "Try it out" }).click()
          await block.locator(".btn.execute").waitFor()
        })
        yield* screenshot(visited, "docs-text-search")
        yield* Effect.promise(async () => {
          await block.locator('[data-param-name="q"] input').fill("quarry tests")
          await block.locator(".btn.execute").click()
          const answer = block.locator(".live-responses-table .response")
          await answer.waitFor()
          expect(await answer.locator(".response-col_status").textContent()).toContain("200")
          const shown = await answer.locator(".response-col_description").textContent()
          expect(shown).toContain('"query": "quarry tests"')
          expect(shown).toContain('"title": "The Modern JavaScript Tutorial"')
          expect(shown).toContain("x-ratelimit-remaining: ")
        })
        yield* screenshot(visited, "docs-tried")
        // Every field starts at its default, and filters that nobody chose are not sent.
        expect(visited.answered).toContain(
          "/api/search/text?q=quarry%20tests&region=us-en&safesearch=moderate&max_results=10&page=1&backend=auto 200"
        )
        isSilent(visited)
      })
    )

    if (isSlow)
      it.scoped("/docs says of each parameter what it takes", () =>
        Effect.gen(function* () {
          const visited = yield* visit("/docs")
          const block = operationAt(visited, "/api/search/text")
          yield* Effect.promise(async () => {
            await block.locator(".opblock-summary-control").click()
            await block.locator(".parameters").first().waitFor()
            const said = (name: string) => block.locator(`[data-param-name="${name}"]`).textContent()
            expect(await said("max_results")).toMatch(/Example: 5.*Default value : 10.*minimum: 1.*maximum: 100/s)
            expect(await said("timelimit")).toMatch(/Example: w.*Available values : d, w, m, y/s)
            expect(await said("q")).toContain("maxLength: 1000")
            expect(await block.locator(".responses-table").textContent()).toContain("Rate limit exceeded")
          })
          isSilent(visited)
        })
      )

    if (isSlow)
      it.scoped("/docs unfolds bodies, alternatives and Schemas", () =>
        Effect.gen(function* () {
          const visited = yield* visit("/docs")
          const { page } = visited
          yield* Effect.promise(async () => {
            for (const path of ["/api/content/fetch-multiple", "/api/search/all"]) {
              await operationAt(visited, path).locator(".opblock-summary-control").click()
              await operationAt(visited, path).locator(".responses-table").waitFor()
            }
            await page
              .getByRole("button", { name: "Schema", exact: true })
              .or(page.getByRole("tab", { name: "Schema" }))
              .first()
              .click()
            await page.locator(".models button").first().click()
            await page.locator("#model-TextItem, .json-schema-2020-12").first().waitFor()
          })
          isSilent(visited)
        })
      )

    it.scoped("/redoc shows every operation", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* Server
        const visited = yield* visit("/redoc")
        const { page } = visited
        yield* Effect.promise(async () => {
          const sectionOf = (id: string) => page.locator(`[data-section-id="operation/${id}"]`)
          await sectionOf(operations.at(-1)?.operationId ?? "").waitFor()
          expect(await page.title()).toContain("Quarry")
          for (const { operationId, path, summary } of operations) {
            expect((await sectionOf(operationId).locator("h2").textContent())?.trim()).toBe(summary)
            expect(await sectionOf(operationId).textContent()).toContain(path)
          }
          expect(await page.locator("#redoc").textContent()).toContain(`curl '${baseUrl}/api/search/text`)
        })
        yield* screenshot(visited, "redoc")
        yield* Effect.promise(() => page.locator('[data-section-id="operation/search.text"]').scrollIntoViewIfNeeded())
        yield* screenshot(visited, "redoc-text-search")
        isSilent(visited)
      })
    )

    if (isSlow)
      it.scoped("/redoc searches the document", () =>
        Effect.gen(function* () {
          const visited = yield* visit("/redoc")
          yield* Effect.promise(async () => {
            await visited.page.getByPlaceholder("Search...").fill("book")
            await visited.page.locator('[role="search"] [data-role="search:results"] >> text="Book search"').waitFor()
          })
          isSilent(visited)
        })
      )
  })
}

// A browser is no dependency that npm brings: without one the suite says so, unless nothing may be skipped.
describe("the pages in Chromium", () => {
  if (noBrowser === null) tests()
  else {
    plain("render, and try a search out", ({ skip }) => {
      skip(noBrowser ?? "")
    })
  }
})
