/** A line of text of a page: where its baseline begins, in points from the lower left corner, and its size. */
export interface PdfLine {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly size?: number
  /** Operators that are put before it, and hold from there on. */
  readonly after?: string
}

export interface PdfPage {
  readonly lines: ReadonlyArray<PdfLine>
  /** Degrees that a viewer turns it clockwise. */
  readonly rotate?: 0 | 90 | 180 | 270
}

export interface PdfOptions {
  readonly info?: string
  /** Behind a password that nobody knows. */
  readonly isLocked?: boolean
}

/** Octal codes that the font shows as the ligatures fi and fl. */
const encoding = "<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[1/fi/fl]>>"

const escaped = (text: string): string =>
  text
    .replace(/[\\()]/g, "\\$&")
    .replaceAll("ﬁ", "\\001")
    .replaceAll("ﬂ", "\\002")

/** Where a line has to be put so that it is upright once the page (612 by 792 points) is turned. */
const matrixOf = ({ x, y }: PdfLine, rotate: number): string => {
  if (rotate === 90) return `0 1 -1 0 ${612 - y} ${x}`
  if (rotate === 180) return `-1 0 0 -1 ${612 - x} ${792 - y}`
  return rotate === 270 ? `0 -1 1 0 ${y} ${792 - x}` : `1 0 0 1 ${x} ${y}`
}

const contentOf = ({ lines, rotate = 0 }: PdfPage): string =>
  lines
    .map(
      (line) =>
        `${line.after ?? ""} BT /F1 ${line.size ?? 10} Tf ${matrixOf(line, rotate)} Tm (${escaped(line.text)}) Tj ET`
    )
    .join("\n")

/** A PDF (PDF 32000-1) with these lines, in Helvetica, in the order given. */
export const pdf = (pages: ReadonlyArray<PdfPage>, { info = "", isLocked = false }: PdfOptions = {}): Buffer => {
  const locked = `<</Filter/Standard/V 1/R 2/P -44/O<${"4f".repeat(32)}>/U<${"55".repeat(32)}>>>`
  const numbers = pages.map((_, index) => 6 + 2 * index)
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages.length}/Kids[${numbers.map((number) => `${number} 0 R`).join(" ")}]>>`,
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding ${encoding}>>`,
    `<<${info}>>`,
    locked,
    ...pages.flatMap((page, index) => {
      const content = contentOf(page)
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Rotate ${page.rotate ?? 0}/Resources<</Font<</F1 3 0 R>>>>/Contents ${7 + 2 * index} 0 R>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`
      ]
    })
  ]
  let file = "%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n"
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`)
  const trailer = `<</Size ${objects.length + 1}/Root 1 0 R/Info 4 0 R${isLocked ? `/Encrypt 5 0 R/ID[<00><00>]` : ""}>>`
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}`
  return Buffer.from(`${file}${table}trailer\n${trailer}\nstartxref\n${file.length}\n%%EOF\n`, "latin1")
}

/** Lines of a column from the top down, each 12 points below the one before. */
export const column = (x: number, top: number, texts: ReadonlyArray<string>): ReadonlyArray<PdfLine> =>
  texts.map((text, index) => ({ x, y: top - 12 * index, text }))
