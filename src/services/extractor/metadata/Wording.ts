import { Parser } from "htmlparser2"
import { plainLineOrNull } from "../../../domain/PlainText.ts"
import { attributeOf, type TreeNode } from "../dom/Tree.ts"

const textLimit = 1_000

/** The text below a node, at most `textLimit` characters of it. */
export const innerText = (root: TreeNode): string => {
  let text = ""
  let node: TreeNode | null = root.first
  while (node !== null && text.length < textLimit) {
    if (node.tag === "#text") text += node.text
    if (node.first !== null && node.tag !== "script" && node.tag !== "style") {
      node = node.first
      continue
    }
    while (node !== null && node !== root && node.next === null) node = node.parent
    if (node === null || node === root) break
    node = node.next
  }
  return text
}

/** Character references that stand for something a line of text has; those of `<` and `>` may be meant as they are. */
const reference = /&(?!(?:lt|gt|#0*(?:60|62)|#x0*3[ce]);)(?:[a-z]{2,8}\d{0,2}|#\d{2,6}|#x[\da-f]{2,5});/i
const speaksOfMarkup = /html|xml|entit|escap|encod/i

/**
 * A line whose author encoded it twice, or where no HTML is decoded (as in JSON-LD), decoded once more: `Q&amp;A`. One
 * that speaks of markup keeps its references.
 */
const decodedOnceMore = (line: string): string => {
  if (!reference.test(line) || speaksOfMarkup.test(line)) return line
  let text = ""
  const parser = new Parser({
    ontext: (data) => {
      text += data
    }
  })
  parser.end(line.replaceAll("<", "&lt;"))
  return text
}

/** One line of plain text, null where nothing is left. */
export const wording = (text: string | null | undefined): string | null => {
  const line = plainLineOrNull(text?.slice(0, 4 * textLimit))
  return line === null ? null : plainLineOrNull(decodedOnceMore(line))
}

/** The first candidate that says something. */
export const firstOf = (candidates: Iterable<string | null | undefined>): string | null => {
  for (const candidate of candidates) {
    const line = wording(candidate)
    if (line !== null) return line
  }
  return null
}

const isAddress = (text: string): boolean => /^(?:https?:)?\/\//i.test(text.trim()) || text.trim().startsWith("@")

/** Names, without those that are addresses. */
export const withoutAddresses = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.filter((text) => !isAddress(text))

const longestName = 200
const mostNames = 20

/** Without tags, and without what cannot be a name. */
const nameOf = (text: string): string =>
  (wording(text.slice(0, textLimit).replace(/<\/?[a-z][^<>]{0,200}>/gi, "")) ?? "")
    .replace(/^\d+$/, "")
    .replace(/^(?:written )?by ?:? /i, "")
    .replace(/ ?[|,]$/, "")

/** The names that the first of several sources gives, each once, joined by commas; null where none gives any. */
export const firstNames = (sources: ReadonlyArray<ReadonlyArray<string>>): string | null => {
  for (const source of sources) {
    const names = withoutAddresses(source.slice(0, mostNames))
      .filter((text) => text.trim().length <= longestName)
      .map(nameOf)
      .filter((name) => name !== "")
    const keys = names.map((name) => name.toLowerCase())
    if (names.length > 0) return names.filter((_, index) => keys.indexOf(keys[index] ?? "") === index).join(", ")
  }
  return null
}

/** The title without the name of the site at its end or front. */
export const withoutSite = (title: string | null, site: string | null): string | null => {
  if (title === null || site === null) return title
  for (const separator of [" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » "]) {
    const at = title.lastIndexOf(separator)
    if (
      at > 0 &&
      title
        .slice(at + separator.length)
        .trim()
        .toLowerCase() === site.toLowerCase()
    )
      return title.slice(0, at).trim()
    const first = title.indexOf(separator)
    if (first > 0 && title.slice(0, first).trim().toLowerCase() === site.toLowerCase())
      return title.slice(first + separator.length).trim()
  }
  return title
}

/** The part of a marked person that is the name. */
export const namePart = (root: TreeNode): TreeNode => {
  let node: TreeNode | null = root.first
  for (let steps = 0; node !== null && steps < 500; steps++) {
    if (attributeOf(node, "itemprop") === "name") return node
    if (node.first !== null) {
      node = node.first
      continue
    }
    while (node !== null && node !== root && node.next === null) node = node.parent
    if (node === null || node === root) break
    node = node.next
  }
  return root
}

/** What a marked element says: its machine-readable attribute, else its text. */
export const said = (node: TreeNode | null): string | null => {
  if (node === null) return null
  for (const name of ["content", "datetime", "src"]) {
    const value = attributeOf(node, name)
    if (value !== null && value.trim() !== "") return value
  }
  return innerText(node)
}
