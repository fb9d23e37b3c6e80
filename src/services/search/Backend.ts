import { type FieldProblem } from "../../domain/Failure.ts"
import { type QueryOf } from "../../domain/Query.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"

/** The `backend` of a query; `auto` for kinds without the parameter. */
export const backendOf = (query: QueryOf[SearchKind]): string => ("backend" in query ? query.backend : "auto")

/** The engine names in a `backend` value; null for `auto`. */
export const namedEngines = (backend: string): ReadonlyArray<string> | null =>
  backend === "auto" ? null : backend.split(",")

/** Validates a `backend` value. Does not distinguish unknown engines from disabled ones. */
export const backendProblems = (backend: string, available: ReadonlyArray<string>): ReadonlyArray<FieldProblem> => {
  const unknown = (namedEngines(backend) ?? []).filter((name) => !available.includes(name))
  return unknown.length === 0
    ? []
    : [
        {
          in: "query",
          field: "backend",
          message: `must be auto or a comma-separated list of available engines, which ${unknown.join(", ")} is not`,
          allowed: ["auto", ...available]
        }
      ]
}
