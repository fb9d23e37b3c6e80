import { Either } from "effect"
import { html, parse, type Token, type TreeAdapter, type TreeAdapterTypeMap } from "parse5"

/**
 * A node of the parsed document, linked to its neighbours so that every move of parse5 is O(1) and every walk can be
 * iterative. `tag` is lower case, or "#text", "#document", "#fragment", "#comment", "#doctype".
 */
export class TreeNode {
  readonly tag: string
  readonly namespace: html.NS
  readonly attributes: Array<Token.Attribute>
  text: string
  parent: TreeNode | null = null
  first: TreeNode | null = null
  last: TreeNode | null = null
  previous: TreeNode | null = null
  next: TreeNode | null = null
  /** Of a `template`. */
  content: TreeNode | null = null
  /** The block its text belongs to (index), or -1. */
  block = -1

  constructor(tag: string, namespace: html.NS, attributes: Array<Token.Attribute>, text: string) {
    this.tag = tag
    this.namespace = namespace
    this.attributes = attributes
    this.text = text
  }
}

export interface Parsed {
  readonly document: TreeNode
  /** The budget of nodes or of text was used up: the tree is what had been read until then. */
  readonly truncated: boolean
  readonly nodes: number
  /** Elements of the kinds that tell about the page itself, in the order they were met. */
  readonly noted: ReadonlyArray<TreeNode>
  /** React streams the page: it has placeholders for late pieces, or the script that moves these into place. */
  readonly streamed: boolean
}

const telling = new Set([
  "html",
  "head",
  "body",
  "title",
  "meta",
  "link",
  "base",
  "script",
  "style",
  "time",
  "h1",
  "noscript"
])

/** Pages for readers have 1,000 to 30,000 nodes, the largest specifications 200,000; a flood reaches any number. */
export const nodeBudget = 150_000

/** Characters of text, scripts and styles not counted: more than the longest novel. */
export const textBudget = 4_000_000

type N = TreeNode
type TypeMap = TreeAdapterTypeMap<N, N, N, N, N, N, N, N, N, N>

const detach = (node: TreeNode) => {
  if (node.parent === null) return
  if (node.previous === null) node.parent.first = node.next
  else node.previous.next = node.next
  if (node.next === null) node.parent.last = node.previous
  else node.next.previous = node.previous
  node.parent = node.previous = node.next = null
}

const append = (parent: TreeNode, node: TreeNode) => {
  node.parent = parent
  node.previous = parent.last
  if (parent.last === null) parent.first = node
  else parent.last.next = node
  parent.last = node
}

const insertBefore = (parent: TreeNode, node: TreeNode, reference: TreeNode) => {
  node.parent = parent
  node.previous = reference.previous
  node.next = reference
  if (reference.previous === null) parent.first = node
  else reference.previous.next = node
  reference.previous = node
}

/** The children of a node, for what needs them at once. */
export const childrenOf = (node: TreeNode): Array<TreeNode> => {
  const children: Array<TreeNode> = []
  for (let child = node.first; child !== null; child = child.next) children.push(child)
  return children
}

export const isText = (node: TreeNode): boolean => node.tag === "#text"
export const isElement = (node: TreeNode): boolean => !node.tag.startsWith("#")

/** The value of an attribute, null when it is not there. */
export const attributeOf = (node: TreeNode, name: string): string | null => {
  for (const attribute of node.attributes) if (attribute.name === name) return attribute.value
  return null
}

/** Whether a `script` holds JSON-LD. */
export const isLinkedData = (script: TreeNode): boolean =>
  attributeOf(script, "type")?.trim().toLowerCase().startsWith("application/ld+json") === true

class BudgetUsedUp extends Error {}

class Adapter implements TreeAdapter<TypeMap> {
  readonly document = new TreeNode("#document", html.NS.HTML, [], "")
  readonly noted: Array<TreeNode> = []
  nodes = 0
  streamed = false
  private characters = 0
  private mode = html.DOCUMENT_MODE.NO_QUIRKS
  private readonly budget: number

  constructor(budget: number) {
    this.budget = budget
  }

  private make(tag: string, namespace: html.NS, attributes: Array<Token.Attribute>, text: string) {
    if (++this.nodes > this.budget) throw new BudgetUsedUp()
    return new TreeNode(tag, namespace, attributes, text)
  }

  createDocument = () => this.document
  createDocumentFragment = () => this.make("#fragment", html.NS.HTML, [], "")
  createElement = (tag: string, namespace: html.NS, attributes: Array<Token.Attribute>) => {
    const node = this.make(tag, namespace, attributes, "")
    if (telling.has(tag)) this.noted.push(node)
    if (tag === "template" && attributeOf(node, "id")?.startsWith("B:") === true) this.streamed = true
    return node
  }
  createCommentNode = () => this.make("#comment", html.NS.HTML, [], "")
  createTextNode = (text: string) => this.make("#text", html.NS.HTML, [], text)
  appendChild = append
  insertBefore = insertBefore
  detachNode = detach
  /** What is kept of a text: nothing of scripts and styles, but for linked data; no more than the budget. */
  private keep(parent: TreeNode, text: string): string {
    if (parent.tag === "script" && text.includes("$RC")) this.streamed = true
    if (parent.tag === "style" || (parent.tag === "script" && !isLinkedData(parent))) return ""
    if (this.characters >= textBudget) throw new BudgetUsedUp()
    const kept = text.slice(0, textBudget - this.characters)
    this.characters += text.length
    return kept
  }

  get isFull(): boolean {
    return this.characters > textBudget
  }

  insertText = (parent: TreeNode, given: string) => {
    const text = this.keep(parent, given)
    if (text === "") return
    if (parent.last?.tag === "#text") parent.last.text += text
    else append(parent, this.createTextNode(text))
  }
  insertTextBefore = (parent: TreeNode, text: string, reference: TreeNode) => {
    if (reference.previous?.tag === "#text") reference.previous.text += text
    else insertBefore(parent, this.createTextNode(text), reference)
  }
  adoptAttributes = (recipient: TreeNode, attributes: Array<Token.Attribute>) => {
    const names = new Set(recipient.attributes.map(({ name }) => name))
    // A flood of second <html> tags must not make this grow without end.
    for (const attribute of attributes)
      if (names.size < 200 && !names.has(attribute.name)) recipient.attributes.push(attribute)
  }
  setTemplateContent = (template: TreeNode, content: TreeNode) => {
    template.content = content
    content.parent = template
  }
  getTemplateContent = (template: TreeNode) => (template.content ??= new TreeNode("#fragment", html.NS.HTML, [], ""))
  setDocumentType = () => undefined
  setDocumentMode = (_: TreeNode, mode: html.DOCUMENT_MODE) => {
    this.mode = mode
  }
  getDocumentMode = () => this.mode
  getAttrList = (node: TreeNode) => node.attributes
  getChildNodes = childrenOf
  getFirstChild = (node: TreeNode) => node.first
  getParentNode = (node: TreeNode) => node.parent
  getCommentNodeContent = () => ""
  getDocumentTypeNodeName = () => ""
  getDocumentTypeNodePublicId = () => ""
  getDocumentTypeNodeSystemId = () => ""
  getNamespaceURI = (node: TreeNode) => node.namespace
  getNodeSourceCodeLocation = () => null
  getTagName = (node: TreeNode) => node.tag
  getTextNodeContent = (node: TreeNode) => node.text
  isCommentNode = (node: TreeNode): node is TreeNode => node.tag === "#comment"
  isDocumentTypeNode = (node: TreeNode): node is TreeNode => node.tag === "#doctype"
  isElementNode = (node: TreeNode): node is TreeNode => isElement(node)
  isTextNode = (node: TreeNode): node is TreeNode => isText(node)
  setNodeSourceCodeLocation = () => undefined
  updateNodeSourceCodeLocation = () => undefined
}

/**
 * The tree of an HTML document, as browsers build it; the part read so far where `budget` nodes do not suffice. Where
 * scripting is off, `noscript` is an element as any other; else it holds its source.
 */
export const parseHtml = (source: string, budget = nodeBudget, scriptingEnabled = true): Parsed => {
  const adapter = new Adapter(budget)
  const parsed = Either.try({
    try: () => parse<TypeMap>(source, { treeAdapter: adapter, scriptingEnabled }),
    catch: (thrown) => thrown
  })
  if (Either.isLeft(parsed) && !(parsed.left instanceof BudgetUsedUp)) throw parsed.left
  return {
    document: adapter.document,
    truncated: Either.isLeft(parsed) || adapter.isFull,
    nodes: adapter.nodes,
    noted: adapter.noted,
    streamed: adapter.streamed
  }
}
