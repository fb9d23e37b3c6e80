import { FetchHttpClient, HttpApi } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../../src/http/Api.ts"
import { restClient } from "../../src/http/Client.ts"
import { Procedures } from "../../src/http/Rpc.ts"

const endpoints: ReadonlyArray<string> = (() => {
  const names: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      names.push(endpoint.name)
    }
  })
  return names.toSorted()
})()

it.effect("the client of the REST API has every endpoint but the document of itself", () =>
  Effect.gen(function* () {
    const client = yield* restClient({ baseUrl: "http://127.0.0.1" })
    expect(Object.keys(client).toSorted()).toEqual(endpoints.filter((name) => name !== "openapi"))
  }).pipe(Effect.provide(FetchHttpClient.layer))
)

it("there is a procedure for every endpoint that does something", () => {
  const about = ["info", "openapi"]
  expect(Array.from(Procedures.requests.keys()).toSorted()).toEqual(
    [...endpoints.filter((name) => !about.includes(name)), "searchAll"].toSorted()
  )
})
