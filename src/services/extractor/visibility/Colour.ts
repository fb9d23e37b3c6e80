import { fromHsl, fromLab, fromOklab } from "./ColourSpaces.ts"

/** Red, green and blue from 0 to 255; alpha from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

export const black: Colour = [0, 0, 0, 1]
export const white: Colour = [255, 255, 255, 1]

/** Colour names that occur in hidden text: those of CSS 1, the near-whites, and the system colours. */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ black: "000", white: "fff", silver: "c0c0c0", gray: "808080", grey: "808080", maroon: "800000", red: "f00" },
    ...{ purple: "800080", fuchsia: "f0f", green: "008000", lime: "0f0", olive: "808000", yellow: "ff0", blue: "00f" },
    ...{ navy: "000080", teal: "008080", aqua: "0ff", orange: "ffa500", snow: "fffafa", ivory: "fffff0" },
    ...{ whitesmoke: "f5f5f5", ghostwhite: "f8f8ff", floralwhite: "fffaf0", transparent: "0000", azure: "f0ffff" },
    ...{ mintcream: "f5fffa", aliceblue: "f0f8ff", seashell: "fff5ee", oldlace: "fdf5e6", honeydew: "f0fff0" },
    ...{ lavenderblush: "fff0f5", canvas: "fff", canvastext: "000", field: "fff", fieldtext: "000" }
  })
)

const fromHex = (digits: string): Colour | null => {
  if (!/^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(digits)) return null
  const long = digits.length <= 4 ? [...digits].map((digit) => digit + digit).join("") : digits
  const at = (index: number) => Number.parseInt(long.slice(index, index + 2), 16)
  return [at(0), at(2), at(4), long.length === 8 ? at(6) / 255 : 1]
}

const fromFunction = (name: string, given: string): Colour | null => {
  const parts = given.split(/[\s,/]+/).filter((part) => part !== "")
  if (name === "color" && !/^srgb(?:-linear)?$/.test(parts.shift() ?? "")) return null
  if (parts.length < 3 || parts.length > 4) return null
  const numbers = parts.map((part) => (part === "none" ? 0 : Number.parseFloat(part)))
  const [first = 0, second = 0, third = 0] = numbers
  if (numbers.some((number) => !Number.isFinite(number))) return null
  const share = (index: number, whole: number) =>
    parts[index]?.endsWith("%") === true ? ((numbers[index] ?? 0) / 100) * whole : (numbers[index] ?? whole)
  const alpha = parts.length < 4 ? 1 : share(3, 1)
  const along = (hue: number) => [Math.cos((hue * Math.PI) / 180), Math.sin((hue * Math.PI) / 180)] as const
  if (name.startsWith("hsl")) return fromHsl(((first % 360) + 360) % 360, second / 100, third / 100, alpha)
  if (name === "hwb") {
    const light = second / 100
    const [red, green, blue] = fromHsl(((first % 360) + 360) % 360, 1, 0.5, 1)
    const mixed = (channel: number) => Math.round(Math.min(255, channel * (1 - light - third / 100) + 255 * light))
    return [mixed(red), mixed(green), mixed(blue), alpha]
  }
  if (name === "oklab") return fromOklab(share(0, 1), share(1, 0.4), share(2, 0.4), alpha)
  if (name === "lab") return fromLab(share(0, 100), share(1, 125), share(2, 125), alpha)
  if (name === "oklch" || name === "lch") {
    const [x, y] = along(third)
    const chroma = share(1, name === "lch" ? 150 : 0.4)
    return name === "lch"
      ? fromLab(share(0, 100), chroma * x, chroma * y, alpha)
      : fromOklab(share(0, 1), chroma * x, chroma * y, alpha)
  }
  if (name === "color") return [share(0, 1) * 255, share(1, 1) * 255, share(2, 1) * 255, alpha]
  return [share(0, 255), share(1, 255), share(2, 255), alpha]
}

/**
 * Returns the `color-mix` of two colours. The colour space is ignored: in every space, the mix of two similar colours
 * is similar to both.
 */
const mixed = (given: string): Colour | null => {
  const [, ...parts] = given.split(/,(?![^(]*\))/)
  const colours = parts.map((part) => {
    const [, percent] = /\s(\d{1,3}(?:\.\d{1,4})?)%\s*$/.exec(part) ?? /^\s*(\d{1,3}(?:\.\d{1,4})?)%\s/.exec(part) ?? []
    const bare = part.replace(/^\s*[\d.]{1,9}%\s|\s[\d.]{1,9}%\s*$/, "").trim()
    const isPlain = !bare.startsWith("color-mix")
    return { colour: isPlain ? colourOf(bare) : null, percent: percent === undefined ? null : Number(percent) }
  })
  const [one, other] = colours
  if (colours.length !== 2 || one?.colour == null || other?.colour == null) return null
  const weight = (one.percent ?? 100 - (other.percent ?? 50)) / 100
  const at = (channel: 0 | 1 | 2 | 3) =>
    (one.colour?.[channel] ?? 0) * weight + (other.colour?.[channel] ?? 0) * (1 - weight)
  return [at(0), at(1), at(2), at(3)]
}

/** Parses a CSS colour in lower case. Returns null for an unknown colour. */
export const colourOf = (value: string): Colour | null => {
  const text = value.trim().slice(0, 100)
  const name = named.get(text)
  if (name !== undefined) return fromHex(name)
  if (text.startsWith("#")) return fromHex(text.slice(1))
  if (text.startsWith("color-mix(") && text.endsWith(")")) return mixed(text.slice(10, -1))
  const [, kind = "", given = ""] = /^(rgba?|hsla?|hwb|oklab|oklch|lab|lch|color)\(([^()]*)\)$/.exec(text) ?? []
  return kind === "" ? null : fromFunction(kind, given)
}

const inBackground =
  /(?:rgba?|hsla?|hwb|oklab|oklch|lab|lch|color)\([^()]*\)|color-mix\((?:[^()]|\([^()]*\))*\)|[^\s(),]+/g

/** Returns the colour of a gradient whose colours are all similar; null for any other gradient. */
const shadeOf = (gradient: string): Colour | null => {
  let shade: Colour | null = null
  for (const token of gradient.match(inBackground) ?? []) {
    const colour = colourOf(token)
    if (
      colour === null &&
      /^(?:var|color|light-dark|currentcolor)|^[a-z]{3,20}$/.test(token) &&
      !gradientWords.test(token)
    )
      return null
    if (colour !== null && shade !== null && !isAlike(colour, shade)) return null
    shade ??= colour
  }
  return shade
}

const gradientWords =
  /^(?:(?:repeating-)?(?:linear|radial|conic)-gradient|to|at|in|from|top|left|right|bottom|center|circle|ellipse)$/

/** Whether a `background` or `background-image` contains an image. An empty `url()` does not count. */
export const hasImage = (value: string): boolean =>
  /url\(|gradient|image|element\(/.test(value.slice(0, 500).replace(/\burl\(\s*(?:""|'')?\s*\)/g, " "))

/** Returns the colour of a `background`. Returns null when there is none, or when an image covers it. */
export const backgroundOf = (value: string): Colour | null => {
  const plain = value.slice(0, 500).replace(/\burl\(\s*(?:""|'')?\s*\)/g, " ")
  if (hasImage(plain)) return /url\(|image|element\(/.test(plain) ? null : shadeOf(plain)
  for (const token of plain.match(inBackground) ?? []) {
    const colour = colourOf(token)
    if (colour !== null) return colour
  }
  return null
}

/** Below this difference in every channel, the contrast is too low to read. */
const leastContrast = 16

/** Whether text of one colour is unreadable on the other. */
export const isAlike = (ink: Colour, paper: Colour): boolean =>
  [0, 1, 2].every((channel) => Math.abs((ink[channel] ?? 0) - (paper[channel] ?? 0)) < leastContrast)
