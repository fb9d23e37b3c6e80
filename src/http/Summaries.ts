import { HttpApi, OpenApi } from "@effect/platform"
import { Context } from "effect"
import { Api } from "./Api.ts"
import { documentationPages } from "./Pages/Files.ts"

/** Every endpoint with a one-line description, as `GET /` lists them. */
export const summaries = (() => {
  const found: Array<{ readonly method: string; readonly path: string; readonly description: string }> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      found.push({
        method: endpoint.method,
        path: endpoint.path,
        description: Context.getOrElse(endpoint.annotations, OpenApi.Summary, () => "")
      })
    }
  })
  return found
})()

/** The documentation pages in the same form. */
export const pageSummaries = Object.values(documentationPages).map(({ description, path }) => ({
  method: "GET",
  path,
  description
}))
