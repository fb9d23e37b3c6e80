import { backgroundOf, black, type Colour, colourOf, isAlike, white } from "./Colour.ts"
import { pixels, type Style } from "./Style.ts"
import { attributeOf, type TreeNode } from "./Tree.ts"

/** What the rest of the page says about how an element shows. */
export interface Surround {
  /** It has style sheets or scripts: an element with a name may look in any way. */
  readonly styled: boolean
  /** React streams it, and moves the pieces that come late into place. */
  readonly streamed: boolean
}

const isUndisplayed = (style: Style): boolean =>
  style.get("display") === "none" ||
  style.get("visibility") === "hidden" ||
  style.get("visibility") === "collapse" ||
  style.get("content-visibility") === "hidden"

/** Farther than any screen, in pixels. */
const outside = (value: string | undefined): boolean => {
  const length = pixels(value)
  return length !== null && (length <= -990 || length >= 9_000)
}

const isAway = (style: Style): boolean =>
  ["left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top"].some((name) =>
    outside(style.get(name))
  )

const isTransformedAway = (style: Style): boolean => {
  if ((style.get("translate") ?? "").split(/\s+/, 2).some(outside) || pixels(style.get("scale")) === 0) return true
  for (const [, name = "", given = ""] of (style.get("transform") ?? "").matchAll(/([a-z3]{1,12})\(([^()]{0,80})\)/g)) {
    const values = given.split(",").map((value) => value.trim())
    if (/^translate(?:x|y|3d)?$/.test(name) && values.some(outside)) return true
    if (/^scale(?:x|y|3d)?$/.test(name) && values.some((value) => pixels(value) === 0)) return true
  }
  return false
}

/**
 * A box of a pixel, or of none, that keeps its text inside: for screen readers only, or for nobody. One that changes
 * its size by and by opens on a click.
 */
const isShut = (style: Style): boolean => {
  if (style.has("transition") || style.has("transition-property")) return false
  const overflow = ["overflow", "overflow-x", "overflow-y"].some((name) =>
    /^(?:hidden|clip)\b/.test(style.get(name) ?? "")
  )
  if (!overflow) return false
  return ["height", "max-height", "width", "max-width"].some((name) => {
    const length = pixels(style.get(name))
    return length !== null && length <= 1
  })
}

const isClipped = (style: Style): boolean => {
  const [, given = ""] = /^rect\(([^()]{0,80})\)/.exec(style.get("clip") ?? "") ?? []
  const [top = null, right = null, bottom = null, left = null] = given.split(/[\s,]+/).map((value) => pixels(value))
  if (top !== null && bottom !== null && bottom - top <= 1) return true
  if (left !== null && right !== null && right - left <= 1) return true
  const path = style.get("clip-path") ?? ""
  return /^(?:inset\(\s*(?:[5-9]\d|100)(?:\.\d{1,4})?%\s*\)|circle\(\s*0)/.test(path)
}

/**
 * Whether an element keeps all that is in it from the reader by its own attributes. Style sheets are not read, and
 * `opacity: 0` is not held against anyone: pages that fade in start with it.
 */
export const isHidden = (node: TreeNode, style: Style, { streamed }: Surround): boolean => {
  const hidden = attributeOf(node, "hidden")
  if (hidden !== null && hidden.toLowerCase() !== "until-found")
    return !(streamed && attributeOf(node, "id")?.startsWith("S:") === true)
  if (node.tag === "dialog" && attributeOf(node, "open") === null) return true
  if (style.size === 0) return false
  return isUndisplayed(style) || isAway(style) || isTransformedAway(style) || isShut(style) || isClipped(style)
}

/** Whether an element that hides its text does so by not being shown at all, as wrappers do until scripts have run. */
export const isUnshown = (node: TreeNode, style: Style): boolean =>
  attributeOf(node, "hidden") !== null || isUndisplayed(style)

/** How text looks at one place of the page, as far as attributes tell. */
export interface Look {
  readonly ink: Colour | null
  readonly paper: Colour | null
  /** Too small to be read. */
  readonly tiny: boolean
  /** In an element that is not shown. */
  readonly unshown: boolean
  /** None of what is written in this look can be seen. */
  readonly invisible: boolean
}

export const plainLook = ({ styled }: Surround): Look => ({
  ink: styled ? null : black,
  paper: styled ? null : white,
  tiny: false,
  unshown: false,
  invisible: false
})

const fontSizeOf = (style: Style): string | undefined =>
  style.get("font-size") ??
  (style.get("font") ?? "")
    .split(/\s+/, 6)
    .map((part) => part.split("/", 1)[0] ?? "")
    .find((part) => /^(?:0|[\d.]{1,9}[a-z%]{1,4})$/.test(part))

/** In pixels: smaller is not to be read. */
const leastSize = 3

const isTiny = (size: string, around: boolean): boolean => {
  const share = /^([\d.]{1,9})(em|ex|ch|%)$/.exec(size)
  if (share === null) {
    const length = pixels(size)
    return length === null ? around && !/^(?:[a-z-]*(?:small|large)|medium|initial)$/.test(size) : length < leastSize
  }
  return around || Number(share[1]) / (share[2] === "%" ? 100 : 1) < 0.2
}

/** How text looks in an element of which nothing is known but that style sheets may say something. */
const unknownLook = (around: Look, styled: boolean): Look => {
  const paper = styled ? null : around.paper
  if (around.ink === null && around.paper === paper) return around
  return { ink: null, paper, tiny: around.tiny, unshown: around.unshown, invisible: around.tiny }
}

const isNamed = ({ attributes }: TreeNode): boolean => {
  for (const { name } of attributes) if (name === "class" || name === "id") return true
  return false
}

const declaredInk = (node: TreeNode, style: Style): string | null =>
  style.get("color") ?? attributeOf(node, node.tag === "body" ? "text" : node.tag === "font" ? "color" : "-")

/** How the text in an element looks, where nothing in it says otherwise. */
export const lookOf = (around: Look, node: TreeNode, style: Style, { styled }: Surround): Look => {
  const mayDiffer = node.tag === "a" || (styled && isNamed(node))
  if (style.size === 0 && attributeOf(node, "bgcolor") === null && !/^(?:font|body)$/.test(node.tag))
    return mayDiffer ? unknownLook(around, styled) : around
  const ink = declaredInk(node, style)
  const background = style.get("background-color") ?? style.get("background") ?? attributeOf(node, "bgcolor")
  const size = fontSizeOf(style)
  if (!mayDiffer && ink === null && background === null && size === undefined) return around
  const known = { ink: mayDiffer ? null : around.ink, paper: mayDiffer && styled ? null : around.paper }
  const paper = background === null ? known.paper : backgroundOf(background.toLowerCase())
  const colour = ink === null || ink === "inherit" ? known.ink : colourOf(ink.toLowerCase())
  const look = {
    ink: colour,
    paper: paper !== null && paper[3] === 0 ? around.paper : paper,
    tiny: size === undefined ? around.tiny : isTiny(size, around.tiny)
  }
  const camouflaged = look.ink !== null && (look.ink[3] === 0 || (look.paper !== null && isAlike(look.ink, look.paper)))
  return { ...look, unshown: around.unshown, invisible: look.tiny || camouflaged }
}
