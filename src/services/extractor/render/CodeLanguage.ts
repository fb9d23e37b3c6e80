import { attributeOf, type TreeNode } from "../dom/Tree.ts"

const prefixedClass = /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s?|highlight-)([a-z0-9+#.-]{1,20})/i
/** Excludes `lang-`: on an ancestor, `lang-en` is a natural language. */
const speltAround = /(?:^|\s)(?:language-|highlight-source-|highlight-)([a-z0-9+#.-]{1,20})/i
/** Class names of highlight.js, Hexo and Pandoc: the highlighter, the language, and nothing else. */
const bare = /^(?:hljs|highlight|sourceCode) ([a-z0-9+#.-]{1,20})$/i

const none = new Set(["", "none", "default", "plain", "nohighlight", "undefined"])

const named = (node: TreeNode, isAround: boolean): string | null => {
  const names = (attributeOf(node, "class") ?? "").trim()
  const attribute = attributeOf(node, "data-lang") ?? attributeOf(node, "data-language")
  const name = (isAround ? speltAround : prefixedClass).exec(names)?.[1] ?? bare.exec(names)?.[1] ?? attribute
  return name === null || none.has(name.toLowerCase()) ? null : name.toLowerCase()
}

/** Number of ancestor boxes to search: the wrapper of the highlighter, and that of the tool that calls it. */
const boxesAround = 2
const levels = 12

/**
 * Returns the language of a listing in lower case, from its own names, those of its `code` or those of its ancestors.
 * Returns null when none names one.
 */
export const languageOf = (pre: TreeNode): string | null => {
  const own = named(pre, false) ?? (pre.first === null ? null : named(pre.first, false))
  let at = pre.parent
  let boxes = 0
  for (let level = 0; own === null && at !== null && boxes < boxesAround && level < levels; level++) {
    const found = named(at, at.tag !== "pre" && at.tag !== "code" && at.tag !== "figure")
    if (found !== null) return found
    // Numbered listings are in a table, which may itself be in a listing.
    if (!/^(?:td|tr|tbody|table|pre|code)$/.test(at.tag)) boxes++
    at = at.parent
  }
  return own
}
