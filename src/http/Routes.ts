import { HttpApi } from "@effect/platform"
import { type SchemaAST } from "effect"
import { fieldsOf } from "../domain/Fields.ts"
import { type RateLimitGroup } from "../domain/Failure.ts"
import { type Rule, ruleOf } from "../domain/Parameter.ts"
import { Api } from "./Api.ts"
import { pageFiles } from "./Pages/Files.ts"

/** Properties of a path that are known before its handler runs. */
export interface Route {
  readonly methods: ReadonlyArray<string>
  readonly group: RateLimitGroup
  /** Rules of the query parameters, by name. */
  readonly rules: ReadonlyMap<string, Rule>
}

const groups: ReadonlyArray<RateLimitGroup> = ["search", "unified", "content", "info"]

const rulesOf = (ast: SchemaAST.AST): ReadonlyMap<string, Rule> =>
  new Map(
    fieldsOf(ast).flatMap((field) => {
      const rule = ruleOf(field.ast)
      return rule === undefined ? [] : [[field.name, rule] as const]
    })
  )

/** Adds the implied methods: HEAD for every GET, and OPTIONS for every path. */
export const withImplied = (methods: ReadonlyArray<string>) => [
  ...methods,
  ...(methods.includes("GET") ? ["HEAD"] : []),
  "OPTIONS"
]

/** Every path of the API and its pages. Paths are matched exactly: no other spelling reaches a handler. */
export const routes: ReadonlyMap<string, Route> = (() => {
  const found = new Map<string, Route>()
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const known = found.get(endpoint.path)
      found.set(endpoint.path, {
        methods: [...(known?.methods ?? []), endpoint.method],
        group: groups.find((name) => name === group.identifier) ?? "info",
        rules: endpoint.urlParamsSchema._tag === "Some" ? rulesOf(endpoint.urlParamsSchema.value.ast) : new Map()
      })
    }
  })
  for (const { path } of pageFiles) found.set(path, { methods: ["GET"], group: "info", rules: new Map() })
  return new Map(Array.from(found, ([path, route]) => [path, { ...route, methods: withImplied(route.methods) }]))
})()
