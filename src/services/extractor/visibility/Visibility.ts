import { lengthOf, pixels } from "./Length.ts"
import { type Declared, type Sheet } from "./Sheet.ts"
import { noStyle, type Style, styleOf } from "./Style.ts"
import { attributeOf, isElement, type TreeNode } from "../dom/Tree.ts"

/** Page-wide facts that affect whether an element is visible. */
export interface Surround {
  /**
   * Rules that are not known (external sheets, scripts, complex selectors) may change how elements look. An element
   * with a class or id may have any look.
   */
  readonly styled: boolean
  /** React streams the page and moves late content into place. */
  readonly streamed: boolean
  /** The sheet of the page's own `style` elements. */
  readonly sheet: Sheet | null
  /** Cached styles of elements without a `style` attribute, by their declarations in the sheet. */
  readonly alone: WeakMap<Declared, Style>
  /** Text that is not displayed is read as well. */
  readonly unveiled: boolean
}

/** Returns the declarations that apply to an element: its `style` attribute, merged with the page's own sheets. */
export const styleFor = (node: TreeNode, surround: Surround): Style => {
  const { sheet, styled } = surround
  const attribute = node.attributes.length > 0 ? attributeOf(node, "style") : null
  const own = attribute === null ? noStyle : styleOf(attribute)
  if (sheet === null) return own
  const declared = sheet.declaredFor(node)
  const { important, normal } = declared
  if (important.size === 0 && normal.size === 0) return own
  const known = own === noStyle ? surround.alone.get(declared) : undefined
  if (known !== undefined) return known
  const style = new Map([...normal, ...own, ...important])
  // Keep the default display of each tag, which separates paragraphs: the page's own sheets are seldom complete.
  if (!own.has("display") && style.get("display") !== "none") style.delete("display")
  // External sheets or scripts may override these properties.
  if (styled) {
    for (const name of uncertain) if (!own.has(name)) style.delete(name)
    if (!own.has("visibility") && changes(style)) style.delete("visibility")
  }
  const made = style.size === 0 ? noStyle : style
  if (own === noStyle) surround.alone.set(declared, made)
  return made
}

const uncertain = [
  ...["color", "background", "background-color", "background-image", "-webkit-text-fill-color", "background-clip"],
  ...["-webkit-background-clip", "opacity", "filter", "letter-spacing"],
  ...["font", "font-size", "clip-path"]
]

/** Whether an element has `visibility: hidden` or `collapse`. Descendants may be visible again. */
export const isVeiled = (style: Style): boolean => /^(?:hidden|collapse)$/.test(style.get("visibility") ?? "")

const isUndisplayed = (style: Style): boolean =>
  style.get("display") === "none" || style.get("content-visibility") === "hidden"

/** Whether a length lies beyond any screen, in pixels or in percent of the containing block. */
const outside = (value: string | undefined): boolean => {
  const length = lengthOf(value)
  if (length === null) return false
  const { percent, pixels: far } = length
  return far <= -990 || far >= 9_000 || percent <= -900
}

const edges = [
  ...["left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top", "margin-inline-start"],
  ...["margin-block-start", "inset-inline-start", "inset-inline-end", "inset-block-start", "inset-block-end"]
]

/** Splits a value into its space-separated parts, such as the four of `inset`. */
const partsOf = (value: string | undefined): ReadonlyArray<string> =>
  value?.slice(0, 200).match(/[^\s()]{0,40}\([^()]{0,80}\)|[^\s()]+/g) ?? []

const isAway = (style: Style): boolean =>
  edges.some((name) => outside(style.get(name))) ||
  ["inset", "inset-inline", "inset-block"].some((name) => partsOf(style.get(name)).some(outside)) ||
  (style.get("position") === "fixed" && (pixels(style.get("top")) ?? 0) <= -400)

const nearlyNone = 0.02

/** Parses a number or a percentage as a number. */
const shareOf = (value: string | undefined): number | null => {
  const [, number = "", percent] =
    /^([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[+-]?\d{1,3})?)(%?)$/.exec(value ?? "") ?? []
  return number === "" ? null : Number(number) / (percent === "%" ? 100 : 1)
}

const isNone = (value: string | undefined): boolean => {
  const share = shareOf(value)
  return share !== null && Math.abs(share) <= nearlyNone
}

/** Degrees per angle unit. */
const degrees: ReadonlyMap<string, number> = new Map(
  Object.entries({ deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 })
)

/** Whether an element rotated by this angle is edge-on, and so has no visible area. */
const isEdgeOn = (angle: string): boolean => {
  const [, amount = "", unit = ""] = /^([+-]?[\d.]{1,9})([a-z]{3,4})$/.exec(angle) ?? []
  const factor = degrees.get(unit)
  return factor !== undefined && Math.abs(Math.cos((Number(amount) * factor * Math.PI) / 180)) < nearlyNone
}

const isTransformedAway = (style: Style): boolean => {
  if (partsOf(style.get("translate")).some(outside) || partsOf(style.get("scale")).some(isNone)) return true
  const transform = style.get("transform")?.slice(0, 1_000) ?? ""
  for (const [, name = "", given = ""] of transform.matchAll(/([a-z3]{1,12})\(((?:[^()]|\([^()]{0,80}\)){0,80})\)/g)) {
    const values = given.split(",").map((value) => value.trim())
    if (/^translate(?:x|y|3d)?$/.test(name) && values.some(outside)) return true
    if (/^scale(?:x|y|3d)?$/.test(name) && values.some(isNone)) return true
    if (/^rotate[xy]$/.test(name) && values.some(isEdgeOn)) return true
    if (name === "matrix") {
      const [a = 1, b = 0, c = 0, d = 1] = values.map(Number)
      if (Math.abs(a * d - b * c) < nearlyNone * nearlyNone) return true
    }
  }
  return false
}

const changes = (style: Style): boolean =>
  ["transition", "transition-property"].some((name) => !/^(?:none\b|all 0s|0s|$)/.test(style.get(name) ?? ""))

const isAtMostPixel = (value: string | undefined): boolean => {
  const length = pixels(value)
  return length !== null && length <= 1
}

const isAnimated = (style: Style): boolean =>
  ["animation", "animation-name", "-webkit-animation"].some((name) => !/^(?:none)?$/.test(style.get(name) ?? ""))

/** Whether the padding gives a box its height, as in boxes that keep the proportions of a picture. */
const isPadded = (style: Style): boolean =>
  ["padding", "padding-top", "padding-bottom"].some((name) =>
    partsOf(style.get(name)).some((part) => {
      const length = lengthOf(part)
      return length !== null && (length.percent >= 10 || length.pixels >= 20)
    })
  )

/**
 * Whether a box has a size of at most one pixel and clips its text, as for screen readers only. A box with a transition
 * may open on a click, so it does not count.
 */
const isShut = (style: Style): boolean => {
  if (changes(style)) return false
  const keepsIn = (name: string) => /^(?:hidden|clip|auto|scroll)\b/.test(style.get(name) ?? "")
  if (!keepsIn("overflow") && !keepsIn("overflow-x") && !keepsIn("overflow-y")) return false
  const least = ["min-height", "min-block-size"].map((name) => pixels(style.get(name)) ?? 0)
  if (["height", "max-height", "block-size", "max-block-size"].some((name) => isAtMostPixel(style.get(name))))
    return !isPadded(style) && least.every((length) => length <= 1)
  return ["width", "max-width", "inline-size", "max-inline-size"].some((name) => isAtMostPixel(style.get(name)))
}

const isClipped = (style: Style): boolean => {
  const [, given = ""] = /^rect\(([^()]{0,80})\)/.exec(style.get("clip") ?? "") ?? []
  const [top = null, right = null, bottom = null, left = null] = given.split(/[\s,]+/).map((value) => pixels(value))
  if (top !== null && bottom !== null && bottom - top <= 1) return true
  if (left !== null && right !== null && right - left <= 1) return true
  const path = style.get("clip-path") ?? ""
  return /^(?:inset\(\s*(?:[5-9]\d|100)(?:\.\d{1,4})?%\s*\)|circle\(\s*0)/.test(path)
}

/** Whether an element is clipped to nothing, as at the start of a reveal animation. */
const isCovered = (style: Style): boolean => {
  const [, shape = "", given = ""] =
    /^(inset|ellipse|polygon)\(([^()]{0,300})\)/.exec(style.get("clip-path") ?? "") ?? []
  if (shape === "ellipse")
    return (
      given
        .split(" at ")[0]
        ?.trim()
        .split(/\s+/)
        .some((radius) => pixels(radius) === 0) === true
    )
  if (shape === "inset") {
    const [top = "0", right = top, bottom = top, left = right] = given.split(" round ")[0]?.trim().split(/\s+/) ?? []
    const percent = (value: string) => lengthOf(value)?.percent ?? 0
    return percent(top) + percent(bottom) >= 99 || percent(left) + percent(right) >= 99
  }
  const points = given.split(",").map((point) => point.trim().split(/\s+/))
  return shape === "polygon" && [0, 1].some((axis) => points.every((point) => point[axis] === points[0]?.[axis]))
}

const isFaint = (style: Style): boolean => {
  if (isNone(style.get("opacity"))) return true
  const [, amount] = /\bopacity\(\s*([\d.e%-]{1,12})\s*\)/.exec(style.get("filter") ?? "") ?? []
  return isNone(amount)
}

/**
 * Whether scripts or external sheets have no class, id or other attribute by which to find an element and show it
 * later.
 */
const isNobodys = (node: TreeNode, style: Style, { styled }: Surround): boolean =>
  !isAnimated(style) &&
  (!styled ||
    (!changes(style) &&
      !style.has("transform") &&
      node.attributes.every(({ name }) => /^(?:style|lang|dir|title|align|hidden|inert|aria-[a-z]+)$/.test(name))))

/** Maximum nodes searched for a descendant that is visible again. */
const lookedFor = 20_000

/** Whether a descendant of an element with `visibility: hidden` is visible again. */
const showsAgain = (root: TreeNode, { sheet }: Surround): boolean => {
  let node: TreeNode | null = root.first
  for (let steps = 0; node !== null && steps < lookedFor; steps++) {
    if (isElement(node)) {
      const own = attributeOf(node, "style")
      if (own !== null && /visib/i.test(own) && styleOf(own).get("visibility") === "visible") return true
      if (sheet !== null) {
        const { important, normal } = sheet.declaredFor(node)
        if (normal.get("visibility") === "visible" || important.get("visibility") === "visible") return true
      }
    }
    if (node.first !== null) node = node.first
    else {
      while (node !== null && node !== root && node.next === null) node = node.parent
      if (node === null || node === root) return false
      node = node.next
    }
  }
  return false
}

/**
 * Whether an element hides all of its content, by its own attributes or by the page's own sheets. Faint or clipped
 * elements do not count when a script may find them, because pages with fade-in effects start like this.
 */
export const isHidden = (
  node: TreeNode,
  style: Style,
  surround: Surround,
  around: { readonly veiled: boolean }
): boolean => {
  const hidden = attributeOf(node, "hidden")
  if (hidden !== null && hidden.toLowerCase() !== "until-found")
    return !(surround.streamed && attributeOf(node, "id")?.startsWith("S:") === true)
  if (node.tag === "dialog" && attributeOf(node, "open") === null) return true
  if (attributeOf(node, "popover") !== null) return true
  if (style.size === 0) return false
  if (isUndisplayed(style) || isAway(style) || isTransformedAway(style) || isShut(style) || isClipped(style))
    return true
  if (isVeiled(style) && !around.veiled)
    return (
      surround.unveiled ||
      (surround.styled && !/visib/i.test(attributeOf(node, "style") ?? "")) ||
      !showsAgain(node, surround)
    )
  return (isFaint(style) || isCovered(style)) && isNobodys(node, style, surround)
}

/** Whether an element is hidden by its own attributes alone. */
export const isHiddenByItself = (node: TreeNode, surround: Surround, around: { readonly veiled: boolean }): boolean => {
  const ofNobody = { ...surround, sheet: null }
  return isHidden(node, styleFor(node, ofNobody), ofNobody, around)
}

/**
 * Whether a hidden element is not shown at all, like wrappers that scripts show later. Text that is moved away or
 * clipped does not count.
 */
export const isUnshown = (node: TreeNode, style: Style): boolean =>
  attributeOf(node, "hidden") !== null || isUndisplayed(style) || isVeiled(style) || isFaint(style)
