import { expect, it } from "@effect/vitest"
import { fault } from "../../src/services/engine/Engine.ts"
import { enginesFor } from "../../src/services/engine/catalogue/registry.ts"
import { type Exchange, queryOf } from "../../tools/engines/Ask.ts"
import { countOf, firstWay, outcomeOf } from "../../tools/engines/Way.ts"
import { answer, fixture, now } from "../engines/Asking.ts"

const asked = (name: string, kind: "text" | "images", bodies: ReadonlyArray<string | null>) => {
  const query = queryOf(kind, "red panda", now)
  const [found] = enginesFor(kind).filter(({ engine }) => engine.name === name)
  if (found === undefined) throw new Error(`There is no ${name}.`)
  const exchanges = bodies.map((body): Exchange => {
    const request = { method: "GET", url: "https://duckduckgo.com/", persona: "browser", follow: false } as const
    return { request, answer: body === null ? null : answer(body, { url: request.url }) }
  })
  return firstWay({ ...found, kind, query, parsed: fault("timeout"), tookMs: 0, exchanges })
}

it("tells the steps from the page they lead to", () => {
  const { page, steps, wasLeft } = asked("duckduckgo", "images", [
    fixture("duckduckgo/images.step.html"),
    fixture("duckduckgo/images.json")
  ])
  expect(steps.map(({ reading }) => outcomeOf(reading))).toEqual(["step"])
  expect([page && outcomeOf(page.reading), wasLeft]).toEqual(["ok", false])
  expect(page && countOf(page.reading)).toBeGreaterThan(0)
})

it("tells the page of the first way from that of the other one", () => {
  const changed = asked("duckduckgo", "text", ["<html></html>", fixture("duckduckgo/text.lite.html")])
  expect([changed.page && outcomeOf(changed.page.reading), changed.wasLeft]).toEqual(["layout_changed", true])
  expect(asked("duckduckgo", "text", [null, fixture("duckduckgo/text.lite.html")])).toMatchObject({
    page: null,
    wasLeft: true
  })
})

it("has no page where none came", () => {
  expect(asked("duckduckgo", "text", [])).toEqual({ steps: [], page: null, wasLeft: false })
})
