import { Either } from "effect"
import { isLinkedData, type TreeNode } from "./Tree.ts"

/** A node of the page's JSON-LD, as it came. */
export type LinkedData = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is LinkedData =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const asList = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** Types of a node without their vocabulary: `Article`, `Product`. */
export const typesOf = (node: LinkedData): ReadonlyArray<string> =>
  asList(node["@type"]).flatMap((type) => (typeof type === "string" ? [type.replace(/^.*[/#:]/, "")] : []))

/** Without the comment or CDATA section that some pages wrap scripts in, and without semicolons at the end. */
const unwrapped = (source: string): string => {
  const text = source.trim().replace(/^(?:<!--|(?:\/\/ ?)?<!\[CDATA\[)/, "")
  const end = ["-->", "]]>"].find((mark) => text.endsWith(mark))
  const bare = end === undefined ? text : text.slice(0, -end.length).trimEnd()
  let length = bare.endsWith("//") ? bare.length - 2 : bare.length
  while (length > 0 && (bare[length - 1] === ";" || bare[length - 1]?.trim() === "")) length--
  return bare.slice(0, length)
}

const parseTolerantly = (source: string): unknown => {
  const text = unwrapped(source)
  return Either.try((): unknown => JSON.parse(text)).pipe(
    // Raw line ends and tabs inside strings are the commonest fault.

    Either.orElse(() => Either.try((): unknown => JSON.parse(text.replace(/[\u0000-\u001f]+/g, " ")))),
    Either.orElse(() =>
      Either.try((): unknown => JSON.parse(text.replace(/,\s*([}\]])/g, "$1").replace(/[\u0000-\u001f]+/g, " ")))
    ),
    Either.getOrElse(() => null)
  )
}

const nodeLimit = 300

/** Every typed node of the page's JSON-LD, outer ones first; what cannot be parsed is passed over. */
export const linkedData = (noted: ReadonlyArray<TreeNode>): ReadonlyArray<LinkedData> => {
  const found: Array<LinkedData> = []
  for (const script of noted) {
    if (script.tag !== "script" || !isLinkedData(script)) continue
    const source = script.first?.text ?? ""
    if (source.length > 2_000_000) continue
    const queue: Array<unknown> = [parseTolerantly(source)]
    for (let index = 0; index < queue.length && index < nodeLimit && found.length < nodeLimit; index++) {
      const value = queue[index]
      if (Array.isArray(value)) queue.push(...value.slice(0, nodeLimit))
      else if (isRecord(value)) {
        if (typesOf(value).length > 0) found.push(value)
        for (const member of ["@graph", "mainEntity", "mainEntityOfPage", "hasPart"])
          if (value[member] !== undefined) queue.push(value[member])
      }
    }
  }
  return found
}

/** The text of a property, whatever way it is wrapped: a string, `{ name }`, `{ @value }`, a list of these. */
export const textsOf = (value: unknown): ReadonlyArray<string> =>
  asList(value).flatMap((item) => {
    if (typeof item === "string") return [item]
    if (typeof item === "number") return [String(item)]
    if (!isRecord(item)) return []
    const named = item["name"] ?? item["@value"] ?? item["url"] ?? item["contentUrl"] ?? item["@id"]
    return asList(named).flatMap((name) => (typeof name === "string" ? [name] : []))
  })
