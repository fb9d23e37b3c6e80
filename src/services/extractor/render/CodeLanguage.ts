import { attributeOf, type TreeNode } from "../dom/Tree.ts"

const spelt = /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s?|highlight-)([a-z0-9+#.-]{1,20})/i
/** Around the code, `lang-en` is the language that people speak. */
const speltAround = /(?:^|\s)(?:language-|highlight-source-|highlight-)([a-z0-9+#.-]{1,20})/i
/** As highlight.js, Hexo and Pandoc name it: the highlighter, then the language, nothing else. */
const bare = /^(?:hljs|highlight|sourceCode) ([a-z0-9+#.-]{1,20})$/i

const none = new Set(["", "none", "default", "plain", "nohighlight", "undefined"])

const named = (node: TreeNode, isAround: boolean): string | null => {
  const names = (attributeOf(node, "class") ?? "").trim()
  const attribute = attributeOf(node, "data-lang") ?? attributeOf(node, "data-language")
  const name = (isAround ? speltAround : spelt).exec(names)?.[1] ?? bare.exec(names)?.[1] ?? attribute
  return name === null || none.has(name.toLowerCase()) ? null : name.toLowerCase()
}

/** Boxes around that may tell: of the highlighter, and of the one who calls it. */
const boxesAround = 2
const levels = 12

/** The language of a listing as its names, those of the `code` in it, or those of what holds it tell. */
export const languageOf = (pre: TreeNode): string | null => {
  const own = named(pre, false) ?? (pre.first === null ? null : named(pre.first, false))
  let at = pre.parent
  let boxes = 0
  for (let level = 0; own === null && at !== null && boxes < boxesAround && level < levels; level++) {
    const found = named(at, at.tag !== "pre" && at.tag !== "code" && at.tag !== "figure")
    if (found !== null) return found
    // Listings with numbers lie in a table, which may lie in a listing.
    if (!/^(?:td|tr|tbody|table|pre|code)$/.test(at.tag)) boxes++
    at = at.parent
  }
  return own
}
