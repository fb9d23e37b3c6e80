import { type HttpApiError } from "@effect/platform"
import { type FieldProblem } from "../domain/Failure.ts"
import { windowProblem } from "../domain/Query.ts"
import { type Rule } from "../domain/Parameter.ts"

type Issues = HttpApiError.HttpApiDecodeError["issues"]

const fieldOf = (issue: Issues[number]): string => String(issue.path[0] ?? "")

/** Returns one problem per invalid query parameter, in the order of the issues. */
export const queryProblems = (
  issues: Issues,
  given: URLSearchParams,
  rules: ReadonlyMap<string, Rule>
): ReadonlyArray<FieldProblem> => {
  const byField = new Map<string, FieldProblem>()
  for (const issue of issues) {
    const field = fieldOf(issue)
    if (byField.has(field)) continue
    const allowed = rules.get(field)?.allowed
    byField.set(field, {
      in: "query",
      field,
      message: messageOf(issue, given.getAll(field).length),
      ...(allowed === undefined ? {} : { allowed })
    })
  }
  return Array.from(byField.values())
}

const messageOf = (issue: Issues[number], times: number): string =>
  issue._tag === "Missing" ? "is required" : times > 1 ? "must be given only once" : issue.message

/**
 * Checks what the Schema of a single field cannot: an unknown `backend`, and a page beyond the deepest result. Skips
 * fields that are already in `known`. One answer thus names every bad field.
 */
export const furtherProblems = (
  given: URLSearchParams,
  rules: ReadonlyMap<string, Rule>,
  known: ReadonlyArray<FieldProblem>,
  backendProblems: (backend: string) => ReadonlyArray<FieldProblem>
): ReadonlyArray<FieldProblem> => {
  const named = new Set(known.map(({ field }) => field))
  const [backend, ...more] = rules.has("backend") ? given.getAll("backend") : []
  const wrong =
    backend === undefined || more.length > 0 ? [] : backendProblems(backend.toLowerCase().replace(/\s/g, ""))
  return [...wrong, ...windowProblems(given, rules)].filter(({ field }) => !named.has(field))
}

/** Returns the value of a parameter, or "" when it is given twice, which `queryProblems` reports. */
const single = (given: URLSearchParams, name: string): string | undefined => {
  const [value, ...more] = given.getAll(name)
  return more.length === 0 ? value : ""
}

const windowProblems = (given: URLSearchParams, rules: ReadonlyMap<string, Rule>): ReadonlyArray<FieldProblem> => {
  const message = rules.has("page") ? windowProblem(single(given, "page"), single(given, "max_results")) : null
  return message === null ? [] : [{ in: "query", field: "page", message }]
}

/** Returns one problem per invalid member of a JSON body. An invalid entry of a list counts as the list. */
export const bodyProblems = (issues: Issues, formats: ReadonlyArray<string>): ReadonlyArray<FieldProblem> => {
  const byField = new Map<string, FieldProblem>()
  for (const issue of issues) {
    const field = fieldOf(issue)
    if (byField.has(field)) continue
    byField.set(field, {
      in: "body",
      field,
      message: field === "" ? "must be a JSON object" : issue._tag === "Missing" ? "is required" : issue.message,
      ...(field === "format" ? { allowed: formats } : {})
    })
  }
  return Array.from(byField.values())
}
