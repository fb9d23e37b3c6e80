/** A CSS length: approximate pixels, plus a percentage of a size that depends on the layout. */
export interface Length {
  readonly pixels: number
  readonly percent: number
}

/** CSS pixels of each unit, for a screen of 1200 by 1000 pixels and a font size of 16 pixels. */
const units: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78, q: 0.945, em: 16, rem: 16, ex: 8, ch: 8, lh: 20 },
    ...{ vw: 12, vh: 10, vmin: 10, vmax: 12, dvw: 12, dvh: 10, svw: 12, svh: 10, lvw: 12, lvh: 10 }
  })
)

const single = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/
const token = /\s*(?:([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)|((?:-[a-z]+-)?[a-z]*\()|([-+*/,)]))\s*/y

const amountOf = (number: string, unit: string, unitless: boolean): Length | null => {
  const amount = Number(number)
  if (amount === 0) return { pixels: 0, percent: 0 }
  if (unit === "%") return { pixels: 0, percent: amount }
  const factor = unit === "" && unitless ? 1 : units.get(unit)
  return factor === undefined ? null : { pixels: amount * factor, percent: 0 }
}

const sum = (one: Length, other: Length, sign: number): Length => ({
  pixels: one.pixels + sign * other.pixels,
  percent: one.percent + sign * other.percent
})

const product = (one: Length, other: Length): Length => ({
  pixels: one.pixels * other.pixels,
  percent: one.pixels * other.percent + one.percent * other.pixels
})

/** Sort key for lengths. Percentages are taken of the screen's height. */
const extent = ({ percent, pixels }: Length): number => pixels + percent * 10

/**
 * Parses a math function (CSS Values 4, "calc()"). Recursion is safe because the source has at most `longest`
 * characters.
 */
class Formula {
  private at = 0
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  get isRead(): boolean {
    return this.at === this.source.length
  }

  private next(): RegExpExecArray | null {
    token.lastIndex = this.at
    return token.exec(this.source)
  }

  private take(signs: string): string | null {
    const sign = this.next()?.[4]
    if (sign === undefined || !signs.includes(sign)) return null
    this.at = token.lastIndex
    return sign
  }

  private value(): Length | null {
    const [, number, unit = "", call] = this.next() ?? []
    if (number === undefined && call === undefined) return null
    this.at = token.lastIndex
    if (number !== undefined) return amountOf(number, unit, true)
    const values: Array<Length> = []
    do {
      const value = this.read()
      if (value === null) return null
      values.push(value)
    } while (this.take(",") !== null)
    if (this.take(")") === null) return null
    const ordered = values.toSorted((one, other) => extent(one) - extent(other))
    if (call === "min(") return ordered[0] ?? null
    if (call === "max(") return ordered.at(-1) ?? null
    if (call === "clamp(") return ordered[1] ?? null
    return /^(?:(?:-[a-z]+-)?calc)?\($/.test(call ?? "") ? (values[0] ?? null) : null
  }

  private term(): Length | null {
    let term = this.value()
    for (let sign = this.take("*/"); sign !== null && term !== null; sign = this.take("*/")) {
      const value = this.value()
      if (value === null) return null
      term = product(term, sign === "*" ? value : { pixels: 1 / value.pixels, percent: 0 })
    }
    return term
  }

  read(): Length | null {
    let whole = this.term()
    for (let sign = this.take("+-"); sign !== null && whole !== null; sign = this.take("+-")) {
      const term = this.term()
      if (term === null) return null
      whole = sum(whole, term, sign === "+" ? 1 : -1)
    }
    return whole
  }
}

const longest = 80

/** Parses a CSS length in lower case. Returns null for other values. */
export const lengthOf = (value: string | undefined): Length | null => {
  if (value === undefined || value.length > longest) return null
  const plain = single.exec(value)
  if (plain !== null) return amountOf(plain[1] ?? "", plain[2] ?? "", false)
  if (!value.endsWith(")")) return null
  const formula = new Formula(value)
  const length = formula.read()
  return length !== null && formula.isRead && Number.isFinite(extent(length)) ? length : null
}

/** Returns a length in approximate pixels. Returns null for other values, and for lengths that depend on the layout. */
export const pixels = (value: string | undefined): number | null => {
  const length = lengthOf(value)
  return length === null || length.percent !== 0 ? null : length.pixels
}
