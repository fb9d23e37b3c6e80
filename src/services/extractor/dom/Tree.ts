import { type html, type Token } from "parse5"

/**
 * A node of the parsed document. It is linked to its neighbours so that each move of parse5 is O(1) and each walk can
 * be iterative. `tag` is lower case, or "#text", "#document", "#fragment", "#comment", "#doctype".
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
  /** The content of a `template`; null for other nodes. */
  content: TreeNode | null = null
  /** Index of the block that this text belongs to, or -1. */
  block = -1

  constructor(tag: string, namespace: html.NS, attributes: Array<Token.Attribute>, text: string) {
    this.tag = tag
    this.namespace = namespace
    this.attributes = attributes
    this.text = text
  }
}

export const detach = (node: TreeNode) => {
  if (node.parent === null) return
  if (node.previous === null) node.parent.first = node.next
  else node.previous.next = node.next
  if (node.next === null) node.parent.last = node.previous
  else node.next.previous = node.previous
  node.parent = node.previous = node.next = null
}

export const append = (parent: TreeNode, node: TreeNode) => {
  node.parent = parent
  node.previous = parent.last
  if (parent.last === null) parent.first = node
  else parent.last.next = node
  parent.last = node
}

export const insertBefore = (parent: TreeNode, node: TreeNode, reference: TreeNode) => {
  node.parent = parent
  node.previous = reference.previous
  node.next = reference
  if (reference.previous === null) parent.first = node
  else reference.previous.next = node
  reference.previous = node
}

/** Returns the children of a node as an array. To visit them one by one, follow `first` and `next`. */
export const childrenOf = (node: TreeNode): Array<TreeNode> => {
  const children: Array<TreeNode> = []
  for (let child = node.first; child !== null; child = child.next) children.push(child)
  return children
}

export const isText = (node: TreeNode): boolean => node.tag === "#text"
export const isElement = (node: TreeNode): boolean => !node.tag.startsWith("#")

/** Returns the value of an attribute, or null when it is missing. */
export const attributeOf = (node: TreeNode, name: string): string | null => {
  for (const attribute of node.attributes) if (attribute.name === name) return attribute.value
  return null
}

/** Whether a `script` holds JSON-LD. */
export const isLinkedData = (script: TreeNode): boolean =>
  attributeOf(script, "type")?.trim().toLowerCase().startsWith("application/ld+json") === true
