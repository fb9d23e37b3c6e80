import { Either } from "effect"
import { isLinkedData, type TreeNode } from "../dom/Tree.ts"
import { canParseUrl } from "../../../domain/WebUrl.ts"

/** A node of the page's JSON-LD, as parsed. */
export type LinkedData = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is LinkedData =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const asList = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** Returns the types of a node without their vocabulary: `Article`, `Product`. */
export const typesOf = (node: LinkedData): ReadonlyArray<string> =>
  asList(node["@type"]).flatMap((type) => (typeof type === "string" ? [type.replace(/^.*[/#:]/, "")] : []))

/** Removes the comment or CDATA section that some pages wrap scripts in, and trailing semicolons. */
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
    // Raw line breaks and tabs inside strings are the most common error.

    Either.orElse(() => Either.try((): unknown => JSON.parse(text.replace(/[\u0000-\u001f]+/g, " ")))),
    Either.orElse(() =>
      Either.try((): unknown => JSON.parse(text.replace(/,\s*([}\]])/g, "$1").replace(/[\u0000-\u001f]+/g, " ")))
    ),
    Either.getOrElse(() => null)
  )
}

const nodeLimit = 300

/** Members that often refer to a node defined elsewhere. */
const referring = ["author", "creator", "publisher", "image"]

/** Replaces references by `@id` with the nodes that they refer to. */
const withReferences = (node: LinkedData, byId: ReadonlyMap<string, LinkedData>): LinkedData => {
  const resolved = (value: unknown): unknown => {
    const id = isRecord(value) && value["name"] === undefined ? value["@id"] : undefined
    return typeof id === "string" ? (byId.get(id) ?? value) : value
  }
  const changed: Record<string, unknown> = {}
  for (const member of referring) {
    const value = node[member]
    if (Array.isArray(value)) changed[member] = value.slice(0, nodeLimit).map(resolved)
    else if (isRecord(value)) changed[member] = resolved(value)
  }
  return { ...node, ...changed }
}

/**
 * Returns the typed nodes of the page's JSON-LD, outer nodes first. Skips scripts that cannot be parsed, and nodes
 * beyond `nodeLimit`.
 */
export const linkedData = (noted: ReadonlyArray<TreeNode>): ReadonlyArray<LinkedData> => {
  const found: Array<LinkedData> = []
  const byId = new Map<string, LinkedData>()
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
        for (const named of [value, ...referring.flatMap((member) => asList(value[member]).slice(0, nodeLimit))])
          if (isRecord(named) && typeof named["@id"] === "string" && Object.keys(named).length > 1)
            byId.set(named["@id"], named)
        for (const member of ["@graph", "mainEntity", "mainEntityOfPage", "hasPart"])
          if (value[member] !== undefined) queue.push(value[member])
      }
    }
  }
  return found.map((node) => withReferences(node, byId))
}

/**
 * Returns the texts of a property, given as a string, a number, `{ name }`, `{ @value }`, or a list of these. Falls
 * back to the URL or `@id` of a node.
 */
export const textsOf = (value: unknown): ReadonlyArray<string> =>
  asList(value).flatMap((item) => {
    if (typeof item === "string") return [item]
    if (typeof item === "number") return [String(item)]
    if (!isRecord(item)) return []
    const named = item["name"] ?? item["@value"] ?? item["url"] ?? item["contentUrl"] ?? item["@id"]
    return asList(named).flatMap((name) => (typeof name === "string" ? [name] : []))
  })

/**
 * Returns the names of a person, site or work, given as a string, `{ name }`, `{ @value }`, or a list of these. Skips
 * numbers and addresses.
 */
export const namesIn = (value: unknown): ReadonlyArray<string> =>
  asList(value).flatMap((item) => {
    if (typeof item === "string") return [item]
    if (!isRecord(item)) return []
    return asList(item["name"] ?? item["@value"]).flatMap((name) => (typeof name === "string" ? [name] : []))
  })

/**
 * Returns a key of the page at an address. Ignores the scheme, `www.`, the query, the fragment and a trailing slash or
 * index file. Returns null for an invalid address.
 */
const pageOf = (address: string, base: string): string | null => {
  if (!canParseUrl(address, base)) return null
  const { hostname, pathname } = new URL(address, base)
  return `${hostname.replace(/^www\./, "")}${pathname.replace(/\/(?:index\.\w{1,5})?$/, "").toLowerCase()}`
}

/** Whether a node names the pages it is about, and none of them is in `own`. Returns null when it names no page. */
const isOfOthers = (node: LinkedData, own: ReadonlySet<string | null>, base: string): boolean | null => {
  const addresses = [node["mainEntityOfPage"], node["url"], node["@id"]]
    .flatMap((value) => asList(value).slice(0, nodeLimit))
    .flatMap((value) => (isRecord(value) ? [value["@id"], value["url"]] : [value]))
    .filter((value) => typeof value === "string" && /^(?:https?:)?\//i.test(value))
  if (addresses.length === 0) return null
  return !addresses.some((address) => typeof address === "string" && own.has(pageOf(address, base)))
}

const aboutPage =
  /^(?:\w*Article|\w*Posting|Report|Review|Recipe|HowTo|Product|ProductGroup|Event|Movie|VideoObject|Book|Course|JobPosting|SoftwareApplication|QAPage|FAQPage|Question|Dataset|APIReference)$/
const webPage = /^(?:\w*Page|Collection|ItemList)$/

/**
 * Returns the node about the page's own content. Prefers nodes that name one of these addresses, then nodes that name
 * no page, then nodes of other pages.
 */
export const principalOf = (
  data: ReadonlyArray<LinkedData>,
  addresses: ReadonlyArray<string>
): LinkedData | undefined => {
  const [base = "http://localhost/"] = addresses
  const own = new Set(addresses.map((address) => pageOf(address, base)))
  for (const pattern of [aboutPage, webPage]) {
    const nodes = data.filter((node) => typesOf(node).some((type) => pattern.test(type)))
    const others = nodes.map((node) => isOfOthers(node, own, base))
    for (const wanted of [false, null, true]) {
      const node = nodes[others.indexOf(wanted)]
      if (node !== undefined) return node
    }
  }
  return undefined
}

/** Returns the article body in the JSON-LD of the page at an address, or "" when there is none. */
export const articleBodyOf = (data: ReadonlyArray<LinkedData>, url: string): string => {
  const body = principalOf(data, [url])?.["articleBody"]
  return typeof body === "string" ? body : ""
}
