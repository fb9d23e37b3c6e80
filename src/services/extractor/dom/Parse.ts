import { Either } from "effect"
import { html, Parser, type Token, Tokenizer, type TreeAdapter, type TreeAdapterTypeMap } from "parse5"
import { type IsTimeUp } from "./TimeLimit.ts"
import {
  append,
  attributeOf,
  childrenOf,
  detach,
  insertBefore,
  isElement,
  isLinkedData,
  isText,
  TreeNode
} from "./Tree.ts"

export interface Parsed {
  readonly document: TreeNode
  /** A budget of the parse was exhausted. The tree holds the part that was read. */
  readonly truncated: boolean
  readonly nodes: number
  /** Elements that describe the page or its parts (see `telling`), in the order they were created. */
  readonly noted: ReadonlyArray<TreeNode>
  /**
   * React streams the page: it contains placeholders for late content, or the script that moves this content into
   * place.
   */
  readonly streamed: boolean
  /** Sources of the `style` elements, up to `sheetBudget` characters in total. */
  readonly sheets: ReadonlyMap<TreeNode, string>
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

/**
 * Maximum nodes. Ordinary pages have 1,000 to 30,000, the largest specifications 200,000. Malicious pages can have any
 * number.
 */
export const nodeBudget = 150_000

/** Maximum characters of text, not counting scripts and styles. Nearly all novels are shorter. */
export const textBudget = 2_500_000

/**
 * Maximum characters of style sheets. Large sites inline more, but the rest only concerns appearance and is slow to
 * read.
 */
const sheetBudget = 60_000

/** Maximum attributes of all elements together. */
const attributeBudget = 500_000

/** Maximum attributes of a start tag that is still being read. */
const openAttributeBudget = 50_000

/** Attributes kept for one element. The rest are dropped. */
const attributesKept = 200

/**
 * Time limit of a parse in milliseconds. On a machine that is not overloaded, the other budgets are exhausted first.
 */
export const parseTime = 400

/** Maximum open elements. Browsers limit the depth to 512. */
const depthBudget = 32_000

/** Characters read between two checks of the limits. A single tag or comment can be as long as the document. */
const chunkLength = 1 << 18

/** Nodes created between two checks of the clock. */
const nodesUnwatched = 64

type N = TreeNode
type TypeMap = TreeAdapterTypeMap<N, N, N, N, N, N, N, N, N, N>

class BudgetUsedUp extends Error {}

/**
 * Skips the text of the `script` or `style` that begins at the current position, up to the next character that the
 * tokenizer must process. Returns the skipped text.
 */
type PassOver = (tag: string) => string

/** Whether the text of an element is skipped. Scripts and styles are half of the source of most pages. */
const isUnread = (node: TreeNode): boolean => node.tag === "style" || (node.tag === "script" && !isLinkedData(node))

class Adapter implements TreeAdapter<TypeMap> {
  readonly document = new TreeNode("#document", html.NS.HTML, [], "")
  readonly noted: Array<TreeNode> = []
  nodes = 0
  streamed = false
  readonly sheets = new Map<TreeNode, string>()
  private sheetCharacters = 0
  private attributes = 0
  private depth = 0
  private characters = 0
  private mode = html.DOCUMENT_MODE.NO_QUIRKS
  private readonly isTimeUp: IsTimeUp
  private readonly passOver: PassOver

  constructor(isTimeUp: IsTimeUp, passOver: PassOver) {
    this.isTimeUp = isTimeUp
    this.passOver = passOver
  }

  private make(tag: string, namespace: html.NS, attributes: Array<Token.Attribute>, text: string) {
    if (++this.nodes > nodeBudget || (this.nodes % nodesUnwatched === 0 && this.isTimeUp())) throw new BudgetUsedUp()
    return new TreeNode(tag, namespace, attributes, text)
  }

  createDocument = () => this.document
  createDocumentFragment = () => this.make("#fragment", html.NS.HTML, [], "")
  createElement = (tag: string, namespace: html.NS, attributes: Array<Token.Attribute>) => {
    this.attributes += attributes.length
    if (this.attributes > attributeBudget) throw new BudgetUsedUp()
    if (attributes.length > attributesKept) attributes.length = attributesKept
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
  onItemPush = (node: TreeNode) => {
    if (++this.depth > depthBudget) throw new BudgetUsedUp()
    if (node.namespace === html.NS.HTML && isUnread(node)) this.note(node, this.passOver(node.tag))
  }
  onItemPop = () => {
    this.depth--
  }
  /**
   * Keeps style sheets, and looks for `$RC`: the function that React's script calls to move late content into place.
   */
  private note(node: TreeNode, unread: string) {
    if (node.tag === "style" && node.namespace === html.NS.HTML && this.sheetCharacters < sheetBudget) {
      this.sheets.set(node, (this.sheets.get(node) ?? "") + unread.slice(0, sheetBudget - this.sheetCharacters))
      this.sheetCharacters += unread.length
    } else if (unread.includes("$RC")) this.streamed = true
  }
  /** Returns the part of a text to keep: nothing of scripts and styles except JSON-LD, and no more than the budget. */
  private keep(parent: TreeNode, text: string): string {
    if (isUnread(parent)) {
      this.note(parent, text)
      return ""
    }
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
  insertTextBefore = (parent: TreeNode, given: string, reference: TreeNode) => {
    const text = this.keep(parent, given)
    if (reference.previous?.tag === "#text") reference.previous.text += text
    else insertBefore(parent, this.createTextNode(text), reference)
  }
  adoptAttributes = (recipient: TreeNode, attributes: Array<Token.Attribute>) => {
    const names = new Set(recipient.attributes.map(({ name }) => name))
    // A page with many <html> tags must not grow this list without limit.
    for (const attribute of attributes)
      if (recipient.attributes.length < attributesKept && !names.has(attribute.name))
        recipient.attributes.push(attribute)
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
 * The end of plain script or style text (HTML, "script data state", "RAWTEXT state"). In scripts, `<!--` also ends it,
 * because it starts the escaped states.
 */
const endsOfText = { script: /<\/script[\t\n\f\r />]|<!--/i, style: /<\/style[\t\n\f\r />]/i } as const

/** parse5's tokenizer, fed in chunks so that limits can be checked between them. */
class WatchedTokenizer extends Tokenizer {
  /** Offset in the source where the next chunk begins. */
  next = 0
  private source = ""

  /** Reads the next chunk. Returns whether it was the last one. */
  read(source: string): boolean {
    this.source = source
    const from = this.next
    this.next = Math.min(source.length, from + chunkLength)
    const isLast = this.next === source.length
    this.write(source.slice(from, this.next), isLast)
    return isLast
  }

  /**
   * Skips the text of a `script` or `style` and returns it. Call it when the last character read is the `>` of the
   * start tag.
   */
  passOver(tag: string): string {
    const { html, pos } = this.preprocessor
    const given = html.length - pos - 1
    const rest = this.source.slice(this.next - given)
    const end = rest.search(tag === "style" ? endsOfText.style : endsOfText.script)
    const length = end >= 0 ? end : rest.length
    this.preprocessor.pos += Math.min(length, given)
    this.next += Math.max(0, length - given)
    return rest.slice(0, length)
  }

  /** Number of attributes of the tag that is being read. */
  get attributes(): number {
    const token = this.currentToken
    return token !== null && "attrs" in token ? token.attrs.length : 0
  }
}

const makeParser = (scriptingEnabled: boolean, isTimeUp: IsTimeUp) => {
  const adapter: Adapter = new Adapter(isTimeUp, (tag) => tokenizer.passOver(tag))
  const parser = new Parser<TypeMap>({ treeAdapter: adapter, scriptingEnabled })
  const tokenizer = new WatchedTokenizer(parser.options, parser)
  parser.tokenizer = tokenizer
  return { adapter, tokenizer }
}

const feed = (tokenizer: WatchedTokenizer, source: string, isTimeUp: IsTimeUp) => {
  while (!tokenizer.read(source)) {
    if (tokenizer.attributes <= openAttributeBudget && !isTimeUp()) continue
    tokenizer.flushCharacters()
    throw new BudgetUsedUp()
  }
}

/**
 * Parses an HTML document into the tree that browsers build. When a budget (nodes, text, attributes, depth, time) is
 * exhausted, returns the part read so far. Without scripting, `noscript` is an ordinary element. With scripting, it
 * holds its source as text.
 */
export const parseHtml = (source: string, isTimeUp: IsTimeUp, scriptingEnabled = true): Parsed => {
  const { adapter, tokenizer } = makeParser(scriptingEnabled, isTimeUp)
  const parsed = Either.try({
    try: () => feed(tokenizer, source, isTimeUp),
    catch: (thrown) => thrown
  })
  if (Either.isLeft(parsed) && !(parsed.left instanceof BudgetUsedUp)) throw parsed.left
  return {
    document: adapter.document,
    truncated: Either.isLeft(parsed) || adapter.isFull,
    nodes: adapter.nodes,
    noted: adapter.noted,
    streamed: adapter.streamed,
    sheets: adapter.sheets
  }
}
