import { attributeOf, type TreeNode } from "../dom/Tree.ts"

interface AttributeTest {
  readonly name: string
  readonly operator: string
  readonly value: string
}

/** A compound selector without pseudo-classes (Selectors 4). */
export interface Selector {
  readonly tag: string
  readonly id: string
  readonly classes: ReadonlyArray<string>
  readonly attributes: ReadonlyArray<AttributeTest>
}

/** Maximum classes of an element that are checked. */
export const classesLooked = 40

const simplePart =
  /([.#])([\w\u0080-\uffff-]{1,100})|\[\s*([\w-]{1,60})\s*(?:([*^$~|]?=)\s*(?:"([^"]{0,200})"|'([^']{0,200})'|([\w-]{1,200}))\s*)?\]/y
const tagName = /(?:\*|[a-z][a-z0-9-]{0,60})/iy

/** Parses a compound selector without pseudo-classes. Returns null for other selectors. */
export const simple = (source: string): Selector | null => {
  tagName.lastIndex = 0
  const tag = tagName.exec(source)?.[0] ?? ""
  const classes: Array<string> = []
  const attributes: Array<AttributeTest> = []
  let id = ""
  let at = tag.length
  while (at < source.length) {
    simplePart.lastIndex = at
    const part = simplePart.exec(source)
    if (part === null) return null
    const [whole, sign, name = "", attribute = "", operator = "", double, single, bare] = part
    if (sign === ".") classes.push(name)
    else if (sign === "#") id = name
    else attributes.push({ name: attribute.toLowerCase(), operator, value: double ?? single ?? bare ?? "" })
    at += whole.length
  }
  return source === "" ? null : { tag: tag === "*" ? "" : tag.toLowerCase(), id, classes, attributes }
}

const holds = (node: TreeNode, { name, operator, value }: AttributeTest): boolean => {
  const given = attributeOf(node, name)
  if (given === null) return false
  if (operator === "") return true
  if (operator === "=") return given === value
  if (value === "") return false
  if (operator === "^=") return given.startsWith(value)
  if (operator === "$=") return given.endsWith(value)
  if (operator === "*=") return given.includes(value)
  if (operator === "~=") return given.split(/\s+/, classesLooked).includes(value)
  return given === value || given.startsWith(`${value}-`)
}

/** Whether a selector matches an element that has these classes. */
export const matches = (
  node: TreeNode,
  { attributes, classes, id, tag }: Selector,
  own: ReadonlySet<string>
): boolean =>
  (tag === "" || tag === node.tag) &&
  (id === "" || id === attributeOf(node, "id")) &&
  classes.every((name) => own.has(name)) &&
  attributes.every((test) => holds(node, test))

/** Selectors that apply only to a user action (such as `:hover`), or that select a pseudo-element. */
export const uponAction =
  /:(?:hover|focus|active|target|checked|visited|before|after|first-l|placeholder|selection|marker|-)|::/

/** Returns the last compound of a selector, without its pseudo-classes. */
export const subject = (selector: string): string =>
  (/[^\s>+~]*$/.exec(selector.replace(/\([^()]{0,200}\)/g, ""))?.[0] ?? "").replace(/:[a-z-]{1,30}/gi, "")
