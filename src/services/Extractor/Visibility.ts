import { attributeOf, type TreeNode } from "./Tree.ts"

const unseen = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden)/i
const tiny = /(?:^|[;\s])font-size\s*:\s*(?:0|0?\.\d+|1)(?:px|pt|em|rem|%)?\s*(?:;|!|$)/i
const away =
  /(?:^|[;\s])(?:(?:left|top|right|text-indent|margin-left)\s*:\s*-\d{4,}|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(?:50|100)%)/i
const foreground = /(?:^|[;\s])color\s*:\s*([^;!]{1,40})/i
const background = /(?:^|[;\s])background(?:-color)?\s*:\s*([^;!]{1,40})/i

const white = /^(?:#fff(?:fff)?|white|rgba?\(255,255,255(?:,1)?\))$/
const clear = /^(?:transparent|rgba\([^)]*,0(?:\.0+)?\)|#[0-9a-f]{6}00)$/

const colour = (style: string, property: RegExp): string | null => {
  const value = property.exec(style)?.[1]?.replace(/\s+/g, "").toLowerCase() ?? null
  return value !== null && white.test(value) ? "#fff" : value
}

/** Text in the colour of its own background, or in no colour at all. */
const isCamouflaged = (style: string): boolean => {
  const front = colour(style, foreground)
  return front !== null && (clear.test(front) || front === colour(style, background))
}

/** A piece of a page that React sends late, and that its script moves into place at once. */
const isStreamed = (node: TreeNode): boolean => attributeOf(node, "id")?.startsWith("S:") === true

/**
 * Whether an element keeps its text from the reader by its own attributes. Style sheets are not read, and
 * `opacity: 0` is not held against anyone: pages that fade in start with it.
 */
export const isHidden = (node: TreeNode): boolean => {
  for (const { name, value } of node.attributes) {
    if (name === "hidden" && value.toLowerCase() !== "until-found") return !isStreamed(node)
    if (name !== "style") continue
    const style = value.slice(0, 2_000)
    if (unseen.test(style) || tiny.test(style) || away.test(style) || isCamouflaged(style)) return true
  }
  return node.tag === "dialog" && attributeOf(node, "open") === null
}

/** Whether an element that hides its text does so by not being shown at all, as wrappers do until scripts have run. */
export const isUnshown = (node: TreeNode): boolean =>
  attributeOf(node, "hidden") !== null || unseen.test((attributeOf(node, "style") ?? "").slice(0, 2_000))
