import { type getDocumentProxy } from "unpdf"
import { type IsTimeUp, type TimeLimits } from "../../dom/TimeLimit.ts"
import { type Bounds } from "./Bounds.ts"
import { drawingOf } from "./Drawing.ts"
import { type Placed } from "./Fragments.ts"
import { type Matrix, matrixOf, times } from "./Matrix.ts"
import { type VisibleRuns, visibleOf } from "./VisibleText.ts"

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>
type TextContent = Awaited<ReturnType<PdfPage["getTextContent"]>>
type Item = TextContent["items"][number]

/** Maximum number of pages that are read. */
const pageBudget = 200
/** Maximum number of text pieces, for a page and for all pages. A page of a book has 100 to 500. */
const pieceBudget = 20_000
const allPiecesBudget = 200_000

/**
 * Milliseconds for all pages: the base, the addition for each page read in time (one of a book takes five to ten), and
 * the maximum.
 */
const baseTime = 500
const pageTime = 20
const mostTime = 1_500
/**
 * Milliseconds within which a page must be read to add time for others. The first pages take longer, until the code is
 * warm.
 */
const earningTime = 100

export interface ReadPages {
  readonly pages: ReadonlyArray<ReadonlyArray<Placed>>
  readonly truncated: boolean
  /** Text that is not visible was left out. */
  readonly hidden: boolean
}

interface ReadText {
  readonly pieces: ReadonlyArray<Piece>
  readonly isCut: boolean
}

interface Shown extends VisibleRuns<Piece>, ReadText {}

const nothing: ReadText = { pieces: [], isCut: true }

/** Returns the rotation of a text on the page, in clockwise quarter turns. */
const turnsOf = ([a, b]: Matrix): number => (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4

/** Rotates a position on the page so that text of `turns` quarter turns runs to the right. */
const turned = (x: number, y: number, turns: number): readonly [x: number, y: number] => {
  if (turns === 1) return [y, -x]
  if (turns === 2) return [-x, -y]
  return turns === 3 ? [-y, x] : [x, y]
}

interface Piece extends Placed {
  readonly turns: number
}

const placedAt = (
  view: Matrix,
  at: Matrix,
  { isRightToLeft, text, width }: Pick<Placed, "isRightToLeft" | "text" | "width">
): Piece | null => {
  const matrix = times(view, at)
  const turns = turnsOf(matrix)
  const [x, y] = turned(matrix[4], matrix[5], turns)
  const size = Math.hypot(matrix[2], matrix[3])
  const isUsable = text.trim() !== "" && [x, y, size, width].every(Number.isFinite) && size > 0
  return isUsable ? { text, x, y, width: Math.abs(width), size, isRightToLeft, turns } : null
}

const pieceOf = (item: Item, view: Matrix): ReadonlyArray<Piece> => {
  if (!("str" in item)) return []
  const { dir, str, transform, width } = item
  const piece = placedAt(view, matrixOf(transform), { text: str, width, isRightToLeft: dir === "rtl" })
  return piece === null ? [] : [piece]
}

/** Keeps the text that runs in the main direction of the page. Text across it is a stamp at the margin. */
const upright = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Placed> => {
  const letters = [0, 0, 0, 0]
  for (const { text, turns } of pieces) letters[turns] = (letters[turns] ?? 0) + text.length
  const most = letters.indexOf(Math.max(...letters))
  return pieces.filter(({ turns }) => turns === most)
}

const readText = async (page: PdfPage, isTimeUp: IsTimeUp): Promise<ReadText> => {
  const view = viewOf(page)
  const reader = page.streamTextContent().getReader()
  const pieces: Array<Piece> = []
  for (;;) {
    const { done, value }: { readonly done: boolean; readonly value?: TextContent } = await reader.read()
    for (const item of value?.items ?? []) pieces.push(...pieceOf(item, view))
    const isCut = !done && (pieces.length > pieceBudget || isTimeUp())
    if (isCut) await reader.cancel(new Error("No more of this page"))
    if (done || isCut) return { pieces, isCut }
  }
}

const viewOf = (page: PdfPage): Matrix => matrixOf(page.getViewport({ scale: 1 }).transform)

/** Removes the text of a page that is not visible. */
const shownOf = async (page: PdfPage, { isCut, pieces }: ReadText, isTimeUp: IsTimeUp): Promise<Shown> => {
  if (pieces.length === 0) return { pieces, isCut, isAnyHidden: false }
  const { AnnotationMode, OPS } = await (await import("unpdf")).getResolvedPDFJS()
  const operators = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE })
  const view = viewOf(page)
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view
  const drawing = drawingOf(operators, OPS, [left, bottom, right, top], isTimeUp)
  const seen = visibleOf(pieces, drawing, (run) => {
    const placed = placedAt(view, run.matrix, { text: run.text, width: run.width, isRightToLeft: false })
    return placed === null ? null : { ...placed, look: run.look }
  })
  return { ...seen, isCut: isCut || drawing.isCut }
}

/** Reads the text of the pages, within the budgets of pages, pieces and time. A broken page is empty. */
export const readPages = async (document: PdfDocument, limits: TimeLimits, bounds: Bounds): Promise<ReadPages> => {
  const pages: Array<ReadonlyArray<Placed>> = []
  const count = Math.min(document.numPages, pageBudget)
  const ends = Array.from({ length: count + 1 }, (_, earned) =>
    limits(Math.min(mostTime, baseTime + earned * pageTime))
  )
  let earned = 0
  let total = 0
  let isAnyCut = false
  let hidden = false
  for (let number = 1; number <= count; number++) {
    const isEnd = ends[earned] ?? limits(0)
    const isSlow = limits(earningTime)
    if (total >= allPiecesBudget || isEnd()) break
    const page = await document.getPage(number).catch(() => null)
    const found =
      page === null ? nothing : await bounds.page(isEnd, (isTimeUp) => readText(page, isTimeUp)).catch(() => nothing)
    const { isAnyHidden, isCut, pieces } =
      page === null
        ? { ...nothing, isAnyHidden: false }
        : await bounds
            .page(isEnd, (isTimeUp) => shownOf(page, found, isTimeUp))
            .catch(() => ({ ...found, isAnyHidden: false }))
    page?.cleanup()
    pages.push(upright(pieces))
    total += pieces.length
    isAnyCut ||= isCut
    hidden ||= isAnyHidden
    // Many pages may take long together. A single slow page adds no time.
    if (pieces.length > 0 && !isCut && !isSlow()) earned++
  }
  return { pages, hidden, truncated: isAnyCut || pages.length < document.numPages }
}
