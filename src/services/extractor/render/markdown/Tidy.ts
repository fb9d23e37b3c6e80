import type { Delete, Emphasis, Link, Nodes, PhrasingContent, Root, Strong } from "mdast"

type Attention = Emphasis | Strong | Delete
type Side = "start" | "end"

const isAttention = (node: PhrasingContent | undefined): node is Attention =>
  node?.type === "emphasis" || node?.type === "strong" || node?.type === "delete"

/** Maximum length of alternative texts and titles, in characters. Longer ones are cut. */
const longestLabel = 1_000

const isSpace = (character: string) => character.trim() === ""
const isNoWord = (character: string) => /[\s\p{P}\p{S}]/u.test(character)

const at = (nodes: ReadonlyArray<PhrasingContent>, side: Side) => nodes.at(side === "start" ? 0 : -1)

/** Returns the first or last character of a node: a backtick for other markup, a line end for a break or no node. */
const edge = (node: PhrasingContent | undefined, side: Side): string => {
  let inner = node
  while (isAttention(inner)) inner = at(inner.children, side)
  if (inner === undefined || inner.type === "break") return "\n"
  return inner.type === "text" ? inner.value.charAt(side === "start" ? 0 : inner.value.length - 1) : "`"
}

/** Removes the matching characters from the start or end of the innermost text, and returns them. */
const take = (node: Attention | Link, side: Side, isTaken: (character: string) => boolean): string => {
  const around: Array<Attention | Link> = [node]
  let inner = at(node.children, side)
  while (isAttention(inner)) {
    around.push(inner)
    inner = at(inner.children, side)
  }
  if (inner?.type !== "text") return ""
  const { value } = inner
  let length = 0
  while (length < value.length && isTaken(value.charAt(side === "start" ? length : value.length - 1 - length))) length++
  const cut = side === "start" ? length : value.length - length
  const [front, back] = [value.slice(0, cut), value.slice(cut)]
  inner.value = side === "start" ? back : front
  for (const parent of inner.value === "" ? around.reverse() : []) {
    if (side === "start") parent.children.shift()
    else parent.children.pop()
    if (parent.children.length > 0) break
  }
  return side === "start" ? front : back
}

/** Appends a node. Merges it into the last node if both are text, inline code, or the same type of emphasis. */
const append = (nodes: Array<PhrasingContent>, node: PhrasingContent) => {
  const last = nodes.at(-1)
  if (last?.type === "text" && node.type === "text")
    last.value += last.value.endsWith(" ") ? node.value.replace(/^ /, "") : node.value
  else if (last?.type === "inlineCode" && node.type === "inlineCode") last.value += node.value
  else if (isAttention(last) && last.type === node.type && "children" in node)
    for (const child of node.children) append(last.children, child)
  else if ((node.type !== "text" && node.type !== "inlineCode") || node.value !== "") nodes.push(node)
}

/**
 * Normalises emphasis so that Markdown can express it. Moves white space out of its edges, and punctuation too where a
 * word is adjacent, since the marks would not be delimiters there (CommonMark, "left-flanking delimiter run"). Removes
 * emphasis whose edge is markup beside a word, and emphasis inside one of the same type (`around`).
 */
const tidied = (given: ReadonlyArray<PhrasingContent>, around: ReadonlySet<string>): Array<PhrasingContent> => {
  const nodes: Array<PhrasingContent> = []
  for (const node of given)
    for (const inner of isAttention(node) && around.has(node.type) ? node.children : [node]) append(nodes, inner)
  const tidy: Array<PhrasingContent> = []
  for (const [index, node] of nodes.entries()) {
    if (!isAttention(node) && node.type !== "link") {
      append(tidy, node)
      continue
    }
    const wasEmpty = node.children.length === 0
    let before = take(node, "start", isSpace)
    let after = take(node, "end", isSpace)
    let isKept = node.children.length > 0 || (wasEmpty && node.type === "link")
    if (isKept && isAttention(node)) {
      const touches = (outside: string, side: Side) => !isNoWord(outside) && isNoWord(edge(node, side))
      const previous = edge(tidy.at(-1), "end")
      const next = edge(nodes[index + 1], "start")
      if (before === "" && touches(previous, "start")) before = take(node, "start", isNoWord)
      if (after === "" && touches(next, "end")) after = take(node, "end", isNoWord)
      isKept =
        node.children.length > 0 &&
        !(before === "" && touches(previous, "start")) &&
        !(after === "" && touches(next, "end"))
    }
    append(tidy, { type: "text", value: before })
    for (const kept of isKept ? [node] : node.children) append(tidy, kept)
    append(tidy, { type: "text", value: after })
  }
  return tidy
}

/**
 * Percent-encodes parentheses, which end a destination. A backslash escape would break the URL for programs that read
 * the Markdown as text.
 */
const destination = (url: string) =>
  url
    .replaceAll("(", "%28")
    .replaceAll(")", "%29")
    .replace(/&(?=#?\w{1,40};)/g, "&amp;")

/** Changes a tree in place so that it is written without character references. In texts, only white space changes. */
export const tidy = (tree: Root): void => {
  const walk: Array<{ readonly node: Nodes; readonly around: ReadonlySet<string> }> = [
    { node: tree, around: new Set() }
  ]
  for (let index = 0; index < walk.length; index++) {
    const { around, node } = walk[index] ?? { around: new Set<string>(), node: tree }
    if (!("children" in node)) continue
    const within = node.type === "emphasis" || node.type === "strong" || node.type === "delete"
    const inner = within ? new Set([...around, node.type]) : around
    for (const child of node.children) walk.push({ node: child, around: inner })
  }
  for (const { around, node } of walk.reverse()) {
    switch (node.type) {
      case "paragraph":
      case "heading":
      case "tableCell":
        node.children = tidied(node.children, around)
        break
      case "emphasis":
      case "strong":
      case "delete":
        node.children = tidied(node.children, new Set([...around, node.type]))
        break
      case "link":
        node.children = tidied(node.children, around)
        node.title = node.title?.slice(0, longestLabel) ?? null
        node.url = destination(node.url)
        break
      case "image":
        node.url = destination(node.url)
        node.alt = node.alt?.slice(0, longestLabel) ?? null
        node.title = node.title?.slice(0, longestLabel) ?? null
    }
  }
}
