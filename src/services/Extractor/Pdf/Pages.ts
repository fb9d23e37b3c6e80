import { type getDocumentProxy } from "unpdf"
import { type IsTimeUp, type TimeLimits } from "../TimeLimit.ts"
import { type Bounds } from "./Bounds.ts"
import { type Placed } from "./Fragments.ts"

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>
type TextContent = Awaited<ReturnType<PdfPage["getTextContent"]>>
type Item = TextContent["items"][number]

/** Pages that are read. */
const pageBudget = 200
/** Pieces of text of a page, and of all pages: a page of a book has 100 to 500. */
const pieceBudget = 20_000
const allPiecesBudget = 200_000

/** Milliseconds for all pages: for any document, more for each page read (a book's take five to ten), at most. */
const baseTime = 800
const pageTime = 15
const mostTime = 2_500

export interface ReadPages {
  readonly pages: ReadonlyArray<ReadonlyArray<Placed>>
  readonly truncated: boolean
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

const matrixOf = (values: ReadonlyArray<unknown>): Matrix => {
  const [a, b, c, d, e, f] = values.map(Number)
  return [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0]
}

/** PDF 32000-1, 8.3.3: the second transformation first. */
const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f
]

/** Quarter turns, clockwise, of a text on the page. */
const turnsOf = ([a, b]: Matrix): number => (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4

/** A position on the page, turned so that text of so many quarter turns runs to the right. */
const turned = (x: number, y: number, turns: number): readonly [x: number, y: number] => {
  if (turns === 1) return [y, -x]
  if (turns === 2) return [-x, -y]
  return turns === 3 ? [-y, x] : [x, y]
}

interface Piece extends Placed {
  readonly turns: number
}

const pieceOf = (item: Item, view: Matrix): ReadonlyArray<Piece> => {
  if (!("str" in item) || item.str.trim() === "") return []
  const matrix = times(view, matrixOf(item.transform))
  const turns = turnsOf(matrix)
  const [x, y] = turned(matrix[4], matrix[5], turns)
  const size = Math.hypot(matrix[2], matrix[3])
  const isUsable = [x, y, size, item.width].every(Number.isFinite) && size > 0
  return isUsable
    ? [{ text: item.str, x, y, width: Math.abs(item.width), size, isRightToLeft: item.dir === "rtl", turns }]
    : []
}

/** Text that runs as most of the page's does; what stands across it is a stamp at the margin. */
const upright = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Placed> => {
  const letters = [0, 0, 0, 0]
  for (const { text, turns } of pieces) letters[turns] = (letters[turns] ?? 0) + text.length
  const most = letters.indexOf(Math.max(...letters))
  return pieces.filter(({ turns }) => turns === most)
}

const readPage = async (page: PdfPage, isTimeUp: IsTimeUp) => {
  const view = matrixOf(page.getViewport({ scale: 1 }).transform)
  const reader = page.streamTextContent().getReader()
  const pieces: Array<Piece> = []
  for (;;) {
    const { done, value }: { readonly done: boolean; readonly value?: TextContent } = await reader.read()
    for (const item of value?.items ?? []) pieces.push(...pieceOf(item, view))
    const isCut = !done && (pieces.length > pieceBudget || isTimeUp())
    if (isCut) await reader.cancel(new Error("No more of this page"))
    if (done || isCut) return { pieces: upright(pieces), isCut }
  }
}

/** The text of a document's pages, as far as the budgets of pages, pieces and time go. A page that is broken is empty. */
export const readPages = async (document: PdfDocument, limits: TimeLimits, bounds: Bounds): Promise<ReadPages> => {
  const pages: Array<ReadonlyArray<Placed>> = []
  const count = Math.min(document.numPages, pageBudget)
  // What many pages take is fair, what one of them takes is not.
  const ends = Array.from({ length: count }, (_, index) => limits(Math.min(mostTime, baseTime + index * pageTime)))
  let total = 0
  let isAnyCut = false
  for (const [index, isEnd] of ends.entries()) {
    if (total >= allPiecesBudget || isEnd()) break
    const read = async (isTimeUp: IsTimeUp) => {
      const page = await document.getPage(index + 1)
      try {
        return await readPage(page, isTimeUp)
      } finally {
        page.cleanup()
      }
    }
    const { isCut, pieces } = await bounds.page(isEnd, read).catch(() => ({ pieces: [], isCut: true }))
    pages.push(pieces)
    total += pieces.length
    isAnyCut ||= isCut
  }
  return { pages, truncated: isAnyCut || pages.length < document.numPages }
}
