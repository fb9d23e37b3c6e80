/** Declarations of a style attribute, by property. Names and values are in lower case, values without `!important`. */
export type Style = ReadonlyMap<string, string>

export const noStyle: Style = new Map()

/** Characters that are read. Legitimate style attributes are shorter. */
const longest = 20_000

const withoutEscapes = (source: string): string =>
  source
    .replace(/\/\*[^]*?(?:\*\/|$)/g, "")
    .replace(/\\(?:([0-9a-f]{1,6})[ \t\n]?|([^]))/gi, (_, code: string | undefined, character: string | undefined) => {
      if (code === undefined) return character ?? ""
      const point = Number.parseInt(code, 16)
      return point > 0x10ffff ? "" : String.fromCodePoint(point)
    })

/** Replaces `var()` by the property that the same attribute declares, or by its fallback. */
const withVariables = (style: Map<string, string>) => {
  for (const [name, value] of style) {
    if (!value.includes("var(")) continue
    style.set(
      name,
      value.replace(
        /var\(\s*(--[\w-]{1,60})\s*(?:,([^()]{0,80}))?\)/g,
        (whole, variable: string, fallback?: string) => {
          const given = style.get(variable) ?? fallback
          return given === undefined || given.length > 200 ? whole : given.trim()
        }
      )
    )
  }
}

/**
 * Parses a style attribute as browsers do (CSS Style Attributes, CSS Syntax 3), except for strings that contain
 * semicolons.
 */
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
  if (source.includes("var(")) withVariables(style)
  return style
}
