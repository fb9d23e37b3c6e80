import type { Element, ElementContent } from "hast"
import { attributeOf, type TreeNode } from "./Tree.ts"

/** Inline elements that are kept, each with its tag in the output. */
export const inlineNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "a",
    b: "strong",
    strong: "strong",
    i: "em",
    em: "em",
    cite: "em",
    dfn: "em",
    var: "em",
    code: "code",
    kbd: "code",
    samp: "code",
    tt: "code",
    sub: "sub",
    sup: "sup",
    del: "del",
    s: "del",
    strike: "del"
  })
)

/** Creates an element of the output tree. A string child becomes a text node. */
export const element = (
  tagName: string,
  properties: Element["properties"] = {},
  children: ReadonlyArray<ElementContent | string> = []
): Element => ({
  type: "element",
  tagName,
  properties,
  children: children.map((child) => (typeof child === "string" ? { type: "text", value: child } : child))
})

/** Returns the address of an image. Attributes for lazy loading come first, and `data:` URLs are skipped. */
export const imageSource = (node: TreeNode): string | null => {
  for (const name of ["data-src", "data-lazy-src", "data-original", "src", "srcset", "data-srcset"]) {
    const value = attributeOf(node, name)?.trim() ?? ""
    if (value !== "" && !value.startsWith("data:"))
      return name.endsWith("srcset") ? (value.split(/,?\s/, 1)[0] ?? null) : value
  }
  return null
}

/** Whether an image is an icon: it declares a width or height of 48 pixels or less. */
export const isMark = (node: TreeNode): boolean =>
  ["width", "height"].some(
    (name) => /^\d+$/.test(attributeOf(node, name) ?? "") && Number(attributeOf(node, name)) <= 48
  )
