import { selectAll, selectOne } from "css-select"
import { type AnyNode, type Document, DomHandler, type Element, hasChildren, isTag, isText } from "domhandler"
import { Parser } from "htmlparser2"
import { plainLine } from "../../../domain/PlainText.ts"

/**
 * An HTML or XML answer as a tree. htmlparser2 reads both. Unlike parse5 it stays linear on hostile pages (thousands of
 * attributes, unclosed formatting). Results are located by class names, so exact error recovery is not required.
 */
export type Page = Document

/** Maximum depth of the tree, because css-select and domutils recurse. Real pages stay below 60. */
const deepest = 256
/** Maximum number of elements. The largest captured page has 3,000. */
const most = 30_000
/** Maximum matches of one selector. No engine shows more results on a page. */
const mostMatches = 500
/** Characters that are parsed between two checks of the limits. */
const chunk = 16_384

class BoundedHandler extends DomHandler {
  elements = 0
  excessive = false

  override onopentag(name: string, attribs: Record<string, string>): void {
    super.onopentag(name, attribs)
    this.elements += 1
    this.excessive ||= this.tagStack.length > deepest || this.elements > most
  }
}

const read = (body: string, xmlMode: boolean): Page | null => {
  const handler = new BoundedHandler(null, { xmlMode })
  const parser = new Parser(handler, { xmlMode, lowerCaseTags: true })
  for (let at = 0; at < body.length && !handler.excessive; at += chunk) parser.write(body.slice(at, at + chunk))
  if (handler.excessive) return null
  parser.end()
  return handler.root
}

/** Parses an HTML page or fragment; null when it exceeds the limits on depth or size. */
export const htmlPage = (body: string): Page | null => read(body, false)

/** Parses an XML document, with tag names in lower case; null as for `htmlPage`. */
export const xmlPage = (body: string): Page | null => read(body, true)

/** Maximum levels of matches nested within each other. Callers search each match again, so deeper nesting is slow. */
const mostNested = 6

const withoutNested = (matches: ReadonlyArray<Element>): ReadonlyArray<Element> => {
  const levels = new Map<AnyNode, number>()
  return matches.filter((match) => {
    let around: AnyNode | null = match.parent
    while (around !== null && !levels.has(around)) around = around.parent
    const level = around === null ? 1 : (levels.get(around) ?? 0) + 1
    levels.set(match, level)
    return level <= mostNested
  })
}

/** The elements below `node` that match the selector, in document order: at most 500, and at most 6 nested levels. */
export const all = (node: AnyNode, selector: string): ReadonlyArray<Element> =>
  withoutNested(selectAll<AnyNode, Element>(selector, node).slice(0, mostMatches))

export const first = (node: AnyNode, selector: string): Element | null => selectOne<AnyNode, Element>(selector, node)

export const attribute = (element: Element | null, name: string): string | null => element?.attribs[name] ?? null

export const hasClass = (element: Element, name: string): boolean =>
  (element.attribs["class"] ?? "").split(/\s+/).includes(name)

/** The nearest ancestor with that tag name, or for which `wanted` returns true; null when there is none. */
export const ancestor = (element: Element, wanted: string | ((element: Element) => boolean)): Element | null => {
  const isWanted = typeof wanted === "string" ? ({ name }: Element) => name === wanted : wanted
  let node = element.parent
  while (node !== null && !(isTag(node) && isWanted(node))) node = node.parent
  return node !== null && isTag(node) ? node : null
}

/** The next sibling element, or null. */
export const following = (element: Element): Element | null => {
  let node = element.next
  while (node !== null && !isTag(node)) node = node.next
  return node
}

const silent = new Set(["script", "style", "template", "noscript"])

const nothing = (_element: Element): boolean => false
const inline = new Set(
  "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " "
  )
)

/**
 * The visible text of a node. Block elements and line breaks become spaces. Skips the elements for which `isAside`
 * returns true. Iterative, so that depth cannot overflow the stack.
 */
export const textOf = (node: AnyNode | null, isAside = nothing): string => {
  const parts: Array<string> = []
  const waiting: Array<AnyNode | string> = node === null ? [] : [node]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") parts.push(next)
    else if (isText(next)) parts.push(next.data)
    else if (hasChildren(next) && !(isTag(next) && (silent.has(next.name) || isAside(next)))) {
      const gap = isTag(next) && !inline.has(next.name) ? " " : ""
      parts.push(gap)
      waiting.push(gap)
      for (let index = next.children.length - 1; index >= 0; index -= 1) {
        const child = next.children[index]
        if (child !== undefined) waiting.push(child)
      }
    }
  }
  return parts.join("")
}

/** Whether a text matches `words` (a pattern for lower case) outside of the repeated query, which pages often show. */
export const saysItself = (text: string, words: RegExp, query: string): boolean => {
  const said = plainLine(text).toLowerCase()
  const asked = plainLine(query).toLowerCase()
  const unquoted = asked.replace(/["“”']/g, "").trim()
  const without = (rest: string, part: string) => (words.test(part) ? rest.replaceAll(part, " ") : rest)
  return words.test([asked, unquoted].reduce(without, said))
}

/** Plain text of an HTML fragment, such as a snippet inside JSON. */
export const textOfHtml = (html: string | null): string | null =>
  html === null || !/[<&]/.test(html) ? html : textOf(htmlPage(html))

/** Decodes entities in plain text. Angle brackets are kept as text. */
export const decodeEntities = (text: string): string =>
  text.includes("&") ? textOf(htmlPage(text.replace(/</g, "&lt;"))) : text

/** Whether an HTML body has its end tag. In a truncated page, a missing element means nothing. */
export const isComplete = (body: string): boolean => /<\/(?:html|body)\s{0,9}>/i.test(body.slice(-2_000))
