import { html } from "parse5"
import { attributeOf, isElement, isText, type TreeNode } from "../dom/Tree.ts"

export const isMath = (node: TreeNode): boolean => node.namespace === html.NS.MATHML

const elementBeside = (node: TreeNode, side: "next" | "previous"): TreeNode | null => {
  let at = node[side]
  while (at !== null && isText(at) && at.text.trim() === "") at = at[side]
  return at !== null && isElement(at) ? at : null
}

/** Whether a node is a formula, or a wrapper of one. */
const holdsFormula = (node: TreeNode | null): boolean => {
  let at = node
  for (let level = 0; at !== null && level < 4; level++) {
    if (at.tag === "math") return true
    at = at.first !== null && isText(at.first) ? at.first.next : at.first
  }
  return false
}

/** Returns the MathML formula next to an `aria-hidden` element that draws the same formula by other means. */
export const formulaBeside = (node: TreeNode): TreeNode | null => {
  if (attributeOf(node, "aria-hidden") !== "true") return null
  for (const beside of [elementBeside(node, "previous"), elementBeside(node, "next")])
    if (holdsFormula(beside)) return beside
  return null
}

const longestTex = 2_000
const withoutStyle = (tex: string): string => /^\{\\(?:display|text)style([^]*)\}$/.exec(tex)?.[1]?.trim() ?? tex

/** Returns the TeX of an image that shows the MathML formula before it; null for other images. */
export const texOfImage = (image: TreeNode): string | null => {
  const tex = attributeOf(image, "alt")?.trim() ?? ""
  const beside = tex === "" || tex.length > longestTex ? null : elementBeside(image, "previous")
  return holdsFormula(beside) ? withoutStyle(tex) : null
}

/** Returns the TeX annotation of a MathML formula, or null when it has none. */
export const texOf = (math: TreeNode): string | null => {
  const semantics = math.first !== null && isText(math.first) ? math.first.next : math.first
  if (semantics?.tag !== "semantics") return null
  for (let at = semantics.last; at !== null; at = at.previous) {
    if (at.tag !== "annotation" || attributeOf(at, "encoding") !== "application/x-tex") continue
    const tex = at.first === null || !isText(at.first) || at.first.next !== null ? "" : at.first.text.trim()
    return tex === "" || tex.length > longestTex ? null : withoutStyle(tex)
  }
  return null
}

/** Separators before the second part, and before each later part, of a MathML element. */
const signs: ReadonlyMap<string, readonly [string, string]> = new Map(
  Object.entries({
    msup: ["^", ""],
    mover: ["^", ""],
    msub: ["_", ""],
    munder: ["_", ""],
    msubsup: ["_", "^"],
    munderover: ["_", "^"],
    mfrac: ["/", ""],
    mtr: [" ", " "],
    mtable: ["; ", "; "]
  })
)

const isCompound = ({ first, parent, tag }: TreeNode): boolean =>
  /^(?:mrow|mfrac)$/.test(tag) &&
  first !== null &&
  first.next !== null &&
  /^m(?:su|fr|und|over|sqrt|root)/.test(parent?.tag ?? "")

/** Returns the text before a part of a formula in linear notation. */
export const signBefore = (node: TreeNode): string => {
  const around = node.parent === null ? undefined : signs.get(node.parent.tag)
  const previous = elementBeside(node, "previous")
  const isSecond = previous !== null && elementBeside(previous, "previous") === null
  const sign = around === undefined || previous === null ? "" : around[isSecond ? 0 : 1]
  const root = node.tag === "msqrt" || node.tag === "mroot" ? "√" : ""
  return `${sign}${isCompound(node) ? "(" : ""}${root}`
}

/** Returns the text after a part of a formula in linear notation. */
export const signAfter = (node: TreeNode): string => (isCompound(node) ? ")" : "")

/**
 * Returns the separator between text and a superscript number: `^` for a power, `.` for the cents of a price. Returns
 * "" for footnote marks, and when the meaning is unclear.
 */
export const signOfRaised = (before: string, raised: string): "" | "^" | "." => {
  const end = before.slice(-16)
  if (/^\s*\d\d\s*$/.test(raised) && /[$€£¥₹]\s?[\d,.]{1,12}$/.test(end)) return "."
  const isExponent = /^\s*[-+−–]?(?:[1-9]\d{0,3}|n)\s*$/.test(raised)
  return isExponent && /(?:\d|(?:^|[^\p{L}\p{N}])(?:\p{L}|[cdkm]m))$/u.test(end) ? "^" : ""
}
