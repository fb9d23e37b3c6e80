import { Parser } from "htmlparser2"
import { plainLineOrNull } from "../../../domain/PlainText.ts"
import { attributeOf, type TreeNode } from "../dom/Tree.ts"

const textLimit = 1_000

/** Returns the text below a node. Stops after `textLimit` characters. */
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

/** Character references to decode. Excludes those of `<` and `>`, which may be meant literally. */
const reference = /&(?!(?:lt|gt|#0*(?:60|62)|#x0*3[ce]);)(?:[a-z]{2,8}\d{0,2}|#\d{2,6}|#x[\da-f]{2,5});/i
const speaksOfMarkup = /html|xml|entit|escap|encod/i

/**
 * Decodes the character references of a line once more: `Q&amp;A`. The author may have encoded the line twice, or the
 * source may not be HTML (such as JSON-LD). Leaves a line about markup unchanged.
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

/** Converts a text to one line of plain text. Returns null when nothing is left. */
export const wording = (text: string | null | undefined): string | null => {
  const line = plainLineOrNull(text?.slice(0, 4 * textLimit))
  return line === null ? null : plainLineOrNull(decodedOnceMore(line))
}

/** Returns the first candidate that is not blank, as one line of plain text. */
export const firstOf = (candidates: Iterable<string | null | undefined>): string | null => {
  for (const candidate of candidates) {
    const line = wording(candidate)
    if (line !== null) return line
  }
  return null
}

const isAddress = (text: string): boolean => /^(?:https?:)?\/\//i.test(text.trim()) || text.trim().startsWith("@")

/** Removes names that are URLs or handles. */
export const withoutAddresses = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.filter((text) => !isAddress(text))

const longestName = 200
const mostNames = 20

/** Removes tags, a leading "by" and a trailing separator. Returns an empty string for a number. */
const nameOf = (text: string): string =>
  (wording(text.slice(0, textLimit).replace(/<\/?[a-z][^<>]{0,200}>/gi, "")) ?? "")
    .replace(/^\d+$/, "")
    .replace(/^(?:written )?by ?:? /i, "")
    .replace(/ ?[|,]$/, "")

/** Returns the names of the first source that has any, without duplicates and joined by commas; null when none has. */
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

/** Removes the name of the site from the end or start of a title. */
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

/** Returns the element that holds the name of a marked-up person, or `root` when there is none. */
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

/** Returns the value of a marked-up element: its machine-readable attribute, or its text. */
export const valueOf = (node: TreeNode | null): string | null => {
  if (node === null) return null
  for (const name of ["content", "datetime", "src"]) {
    const value = attributeOf(node, name)
    if (value !== null && value.trim() !== "") return value
  }
  return innerText(node)
}
