import { backgroundOf, black, type Colour, colourOf, hasImage, isAlike, white } from "./Colour.ts"
import { lengthOf, pixels } from "./Length.ts"
import { noStyle, type Style } from "./Style.ts"
import { attributeOf, isElement, type TreeNode } from "../dom/Tree.ts"
import { isVeiled, styleFor, type Surround } from "./Visibility.ts"

/** The style context of text at one place of the page, as far as it is known. A null colour is unknown. */
export interface StyleContext {
  readonly ink: Colour | null
  readonly paper: Colour | null
  /** Font size in pixels. */
  readonly size: number
  /** Negative letter spacing makes letters overlap. */
  readonly squeezed: boolean
  /** Inside an element with `visibility: hidden`. Descendants may be visible again. */
  readonly veiled: boolean
  /** Inside an element that is not shown. */
  readonly unshown: boolean
  /** Text in this context cannot be seen. */
  readonly invisible: boolean
  /** Inside an element that the page's own sheets hide. */
  readonly concealed: boolean
}

const usualSize = 16

export const initialStyleContext = ({ styled }: Surround): StyleContext => ({
  ink: styled ? null : black,
  paper: styled ? null : white,
  size: usualSize,
  squeezed: false,
  veiled: false,
  unshown: false,
  invisible: false,
  concealed: false
})

const fontSizeOf = (style: Style): string | undefined =>
  style.get("font-size") ??
  (style.get("font") ?? "")
    .split(/\s+/, 6)
    .map((part) => part.split("/", 1)[0] ?? "")
    .find((part) => /^(?:0|[\d.]{1,9}[a-z%]{1,4})$/.test(part))

/** Pixels. Smaller text is unreadable. */
const leastSize = 3

/** Returns a font size in pixels. Returns the surrounding size when the value is unknown. */
const sizeOf = (size: string, around: number): number => {
  const [, share, unit = ""] = /^([\d.]{1,9})(em|ex|ch|%)$/.exec(size) ?? []
  if (share !== undefined) return (around * Number(share)) / (unit === "%" ? 100 : unit === "em" ? 1 : 2)
  if (/^(?:[a-z-]*(?:small|large)|medium|initial)$/.test(size)) return Math.max(around, 12)
  const length = lengthOf(size)
  return length === null ? around : Math.max(0, length.pixels + (around * length.percent) / 100)
}

/** Returns the context of an element whose look is unknown, because style sheets may apply to it. */
const unknownLook = (around: StyleContext, styled: boolean): StyleContext => {
  const paper = styled ? null : around.paper
  if (around.ink === null && around.paper === paper) return around
  return { ...around, ink: null, paper, invisible: isUnreadable(around) }
}

const isUnreadable = ({ size, squeezed, veiled }: Pick<StyleContext, "size" | "squeezed" | "veiled">): boolean =>
  size < leastSize || squeezed || veiled

const isNamed = ({ attributes }: TreeNode): boolean => {
  for (const { name } of attributes) if (name === "class" || name === "id") return true
  return false
}

const fillOf = (style: Style): string | undefined => {
  const fill = style.get("-webkit-text-fill-color")
  return fill === "currentcolor" ? undefined : fill
}

const declaredInk = (node: TreeNode, style: Style): string | null =>
  fillOf(style) ??
  style.get("color") ??
  attributeOf(node, node.tag === "body" ? "text" : node.tag === "font" ? "color" : "-")?.toLowerCase() ??
  null

/** Returns the declared background. An image takes precedence, since it covers the colour. */
const declaredPaper = (node: TreeNode, style: Style): string | null => {
  const image = style.get("background-image")
  if (image !== undefined && hasImage(image)) return image
  const background = style.get("background")
  if (background !== undefined && hasImage(background)) return background
  if (node.tag[0] === "t" || node.tag === "body") {
    const address = attributeOf(node, "background")
    if (address !== null && address.trim() !== "") return "image"
  }
  return style.get("background-color") ?? background ?? attributeOf(node, "bgcolor")?.toLowerCase() ?? null
}

const isPicture = (node: TreeNode, surround: Surround): boolean => {
  if (/^(?:img|picture|video|canvas|svg|iframe)$/.test(node.tag)) return true
  if ((attributeOf(node, "style")?.length ?? 0) > longestLooked) return false
  const style = node.attributes.length === 0 ? noStyle : styleFor(node, surround)
  return /^(?:absolute|fixed)$/.test(style.get("position") ?? "") && declaredPaper(node, style) !== null
}

/** Maximum length of the `style` attribute of an element that may be a picture. */
const longestLooked = 1_000
const levelsLooked = 5
const siblingsLooked = 5

/** Whether an element may lie over a preceding picture, or over a positioned sibling that has a background. */
const isOverPicture = (node: TreeNode, style: Style, surround: Surround): boolean => {
  let at: TreeNode | null = node
  let own = style
  for (let level = 0; level < levelsLooked && at !== null && at.tag !== "body"; level++) {
    if (level > 0) {
      own = styleFor(at, surround)
      if (declaredPaper(at, own) !== null) return false
    }
    const isPlaced = /^(?:absolute|fixed|relative|sticky)$/.test(own.get("position") ?? "") || own.has("z-index")
    let sibling: TreeNode | null = at.previous
    for (let looked = 0; looked < siblingsLooked && sibling !== null; sibling = sibling.previous) {
      if (!isElement(sibling)) continue
      looked++
      const isFlat = /^(?:img|picture|video|canvas|svg|iframe)$/.test(sibling.tag) && !isPlaced
      if (isPicture(sibling, surround) && (!isFlat || /absolute|fixed/.test(attributeOf(sibling, "style") ?? "")))
        return true
    }
    at = at.parent
  }
  return false
}

const keywords = /^(?:inherit|initial|unset|revert|currentcolor|transparent)$/

/** Returns the style context of the text directly in an element. */
export const styleContextOf = (
  around: StyleContext,
  node: TreeNode,
  style: Style,
  surround: Surround
): StyleContext => {
  const { styled, unveiled } = surround
  const mayDiffer = node.tag === "a" || (styled && isNamed(node))
  const ink = declaredInk(node, style)
  const background = declaredPaper(node, style)
  if (style.size === 0 && ink === null && background === null) return mayDiffer ? unknownLook(around, styled) : around
  const size = fontSizeOf(style)
  const visibility = style.get("visibility")
  const spacing = style.get("letter-spacing")
  if (!mayDiffer && ink === null && background === null && size === undefined && !visibility && !spacing) return around
  const known = { ink: mayDiffer ? null : around.ink, paper: mayDiffer && styled ? null : around.paper }
  const colour = ink === null || /^(?:inherit|unset|currentcolor)$/.test(ink) ? known.ink : colourOf(ink)
  const declared = background === "currentcolor" ? colour : background === null ? null : backgroundOf(background)
  const isText = /\btext\b/.test(
    `${style.get("background-clip") ?? ""} ${style.get("-webkit-background-clip") ?? ""} ${style.get("background") ?? ""}`
  )
  const paper =
    background === null || isText || declared?.[3] === 0 ? (background === null ? known.paper : around.paper) : declared
  const isGlass = colour !== null && colour[3] === 0
  const isOutlined = !/^(?:none)?$/.test(style.get("text-shadow") ?? "")
  const shown = isGlass && isText && background !== null ? declared : isGlass && isOutlined ? null : colour
  const fontSize = size === undefined ? around.size : sizeOf(size, around.size)
  const look = {
    ink: shown,
    paper,
    size: fontSize,
    squeezed: spacing === undefined ? around.squeezed : isSqueezed(spacing, fontSize),
    veiled: visibility === undefined || unveiled ? around.veiled : isVeiled(style)
  }
  const isSame =
    background === "currentcolor" || (background !== null && background === ink && !keywords.test(background))
  const isLost = look.ink !== null && (look.ink[3] === 0 || (look.paper !== null && isAlike(look.ink, look.paper)))
  if (!isSame && isLost && look.ink?.[3] !== 0 && background === null && isOverPicture(node, style, surround))
    return { ...around, ...look, paper: null, invisible: isUnreadable(look) }
  return { ...around, ...look, invisible: isUnreadable(look) || isLost || isSame }
}

/** Letters of common fonts are half as wide as they are high. */
const isSqueezed = (spacing: string, size: number): boolean => {
  const [, share] = /^(-[\d.]{1,9})em$/.exec(spacing) ?? []
  const length = share === undefined ? (pixels(spacing) ?? 0) : Number(share) * size
  return length < 0 && length <= -0.6 * size
}
