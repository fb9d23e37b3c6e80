/** Declarations of a style attribute, by property in lower case; values in lower case, without `!important`. */
export type Style = ReadonlyMap<string, string>

export const noStyle: Style = new Map()

/** No style attribute that is there for readers is longer. */
const longest = 20_000

const withoutEscapes = (source: string): string =>
  source
    .replace(/\/\*[^]*?(?:\*\/|$)/g, "")
    .replace(/\\(?:([0-9a-f]{1,6})[ \t\n]?|([^]))/gi, (_, code: string | undefined, character: string | undefined) => {
      if (code === undefined) return character ?? ""
      const point = Number.parseInt(code, 16)
      return point > 0x10ffff ? "" : String.fromCodePoint(point)
    })

/** Reads a style attribute as browsers do (CSS Style Attributes, CSS Syntax 3), but for strings with semicolons. */
export const styleOf = (attribute: string): Style => {
  const cut = attribute.slice(0, longest)
  const source = (cut.includes("/*") || cut.includes("\\") ? withoutEscapes(cut) : cut).toLowerCase()
  const style = new Map<string, string>()
  const important = new Set<string>()
  for (const declaration of source.split(";")) {
    const colon = declaration.indexOf(":")
    if (colon < 0) continue
    const name = declaration.slice(0, colon).trim()
    const value = declaration.slice(colon + 1)
    const mark = value.indexOf("!")
    if (mark < 0 && important.has(name)) continue
    if (mark >= 0) important.add(name)
    style.set(name, (mark < 0 ? value : value.slice(0, mark)).trim())
  }
  return style
}

/** CSS pixels of a unit, on a screen of 1200 by 1000 and in text of 16. */
const units: ReadonlyMap<string, number> = new Map(
  Object.entries({
    px: 1,
    pt: 4 / 3,
    pc: 16,
    in: 96,
    cm: 37.8,
    mm: 3.78,
    q: 0.945,
    em: 16,
    rem: 16,
    ex: 8,
    ch: 8
  }).concat(
    Object.entries({ vw: 12, vh: 10, vmin: 10, vmax: 12, dvw: 12, dvh: 10, svw: 12, svh: 10, lvw: 12, lvh: 10 })
  )
)

/** A length in pixels, nearly; null for what is none or depends on the layout. */
export const pixels = (value: string | undefined): number | null => {
  if (value === undefined || value.length > 40) return null
  const [, number = "", unit = ""] = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/.exec(value) ?? []
  if (number === "") return null
  const amount = Number(number)
  if (amount === 0) return 0
  const factor = units.get(unit)
  return factor === undefined ? null : amount * factor
}
