/** Red, green and blue from 0 to 255; alpha from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

export const black: Colour = [0, 0, 0, 1]
export const white: Colour = [255, 255, 255, 1]

/** The names that hidden text is written in: those of CSS 1, and the near-whites. */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ black: "000", white: "fff", silver: "c0c0c0", gray: "808080", grey: "808080", maroon: "800000", red: "f00" },
    ...{ purple: "800080", fuchsia: "f0f", green: "008000", lime: "0f0", olive: "808000", yellow: "ff0", blue: "00f" },
    ...{ navy: "000080", teal: "008080", aqua: "0ff", orange: "ffa500", snow: "fffafa", ivory: "fffff0" },
    ...{ whitesmoke: "f5f5f5", ghostwhite: "f8f8ff", floralwhite: "fffaf0", transparent: "0000" }
  })
)

const fromHex = (digits: string): Colour | null => {
  if (!/^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(digits)) return null
  const long = digits.length <= 4 ? [...digits].map((digit) => digit + digit).join("") : digits
  const at = (index: number) => Number.parseInt(long.slice(index, index + 2), 16)
  return [at(0), at(2), at(4), long.length === 8 ? at(6) / 255 : 1]
}

const fromHsl = (hue: number, saturation: number, lightness: number, alpha: number): Colour => {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const turn = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))))
  }
  return [channel(0), channel(8), channel(4), alpha]
}

const fromFunction = (name: string, given: string): Colour | null => {
  const parts = given.split(/[\s,/]+/).filter((part) => part !== "")
  if (parts.length < 3 || parts.length > 4) return null
  const numbers = parts.map((part) => Number.parseFloat(part))
  if (numbers.some((number) => !Number.isFinite(number))) return null
  const share = (index: number, whole: number) =>
    parts[index]?.endsWith("%") === true ? ((numbers[index] ?? 0) / 100) * whole : (numbers[index] ?? whole)
  const alpha = parts.length < 4 ? 1 : share(3, 1)
  if (name.startsWith("hsl")) {
    const hue = (((numbers[0] ?? 0) % 360) + 360) % 360
    return fromHsl(hue, (numbers[1] ?? 0) / 100, (numbers[2] ?? 0) / 100, alpha)
  }
  return [share(0, 255), share(1, 255), share(2, 255), alpha]
}

/** A colour as CSS writes it, in lower case; null for one that is not known here. */
export const colourOf = (value: string): Colour | null => {
  const text = value.trim().slice(0, 100)
  const name = named.get(text)
  if (name !== undefined) return fromHex(name)
  if (text.startsWith("#")) return fromHex(text.slice(1))
  const [, kind = "", given = ""] = /^(rgba?|hsla?)\(([^()]*)\)$/.exec(text) ?? []
  return kind === "" ? null : fromFunction(kind, given)
}

/** The colour in a `background`: null where there is none, or an image over it. */
export const backgroundOf = (value: string): Colour | null => {
  const plain = value.slice(0, 500).replace(/\burl\(\s*(?:""|'')?\s*\)/g, " ")
  if (/url\(|gradient|image|element\(/.test(plain)) return null
  for (const token of plain.match(/(?:rgba?|hsla?)\([^()]*\)|[^\s()]+/g) ?? []) {
    const colour = colourOf(token)
    if (colour !== null) return colour
  }
  return null
}

/** Less than that in every channel is no contrast that anybody reads. */
const leastContrast = 16

/** Whether text of one colour cannot be read on the other. */
export const isAlike = (ink: Colour, paper: Colour): boolean =>
  [0, 1, 2].every((channel) => Math.abs((ink[channel] ?? 0) - (paper[channel] ?? 0)) < leastContrast)
