/** A piece of text on a page, rotated upright: x to the right, y of the baseline downwards, in points. */
export interface Placed {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  /** Font size. */
  readonly size: number
  readonly isRightToLeft: boolean
}

/** Adjacent text on one line of a column. */
export interface Fragment {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly y: number
  readonly size: number
}

/** Minimum gaps between words and between columns, as multiples of the font size. */
const wordGap = 0.15
const columnGap = 1.1

/** Groups pieces by baseline. Subscripts and note marks are a little above or below it. */
const baselines = (pieces: ReadonlyArray<Placed>): ReadonlyArray<ReadonlyArray<Placed>> => {
  const lines: Array<Array<Placed>> = []
  let y = Number.NEGATIVE_INFINITY
  let size = 0
  for (const piece of pieces.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const line = lines.at(-1)
    if (line !== undefined && piece.y - y <= 0.45 * Math.max(size, piece.size)) {
      line.push(piece)
      // The largest letters define the baseline.
      if (piece.size > size) [y, size] = [piece.y, piece.size]
    } else {
      lines.push([piece])
      ;[y, size] = [piece.y, piece.size]
    }
  }
  return lines
}

const isSpaced = (before: string, after: string): boolean => /\s$/.test(before) || /^\s/.test(after)

const fragmentOf = (pieces: ReadonlyArray<Placed>): Fragment => {
  const isRightToLeft = pieces.filter((piece) => piece.isRightToLeft).length * 2 > pieces.length
  const ordered = isRightToLeft ? pieces.toReversed() : pieces
  let text = ""
  let last: Placed | null = null
  for (const piece of ordered) {
    const gap = last === null ? 0 : isRightToLeft ? last.x - piece.x - piece.width : piece.x - last.x - last.width
    const isApart = last !== null && gap > wordGap * Math.max(last.size, piece.size) && !isSpaced(text, piece.text)
    text += isApart ? ` ${piece.text}` : piece.text
    last = piece
  }
  const main = pieces.reduce((a, b) => (b.text.length * b.size > a.text.length * a.size ? b : a))
  return {
    text: text.replace(/\s+/g, " ").trim(),
    left: Math.min(...pieces.map(({ x }) => x)),
    right: Math.max(...pieces.map(({ width, x }) => x + width)),
    y: main.y,
    size: main.size
  }
}

/**
 * Returns the fragments of a page from top to bottom. Text drawn twice in one place, as some programs do for bold,
 * counts once.
 */
export const fragmentsOf = (pieces: ReadonlyArray<Placed>): ReadonlyArray<Fragment> => {
  const fragments: Array<Fragment> = []
  for (const line of baselines(pieces.filter(({ text }) => text.trim() !== ""))) {
    let run: Array<Placed> = []
    let end = Number.NEGATIVE_INFINITY
    for (const piece of line.toSorted((a, b) => a.x - b.x)) {
      const last = run.at(-1)
      const isDouble = last?.text === piece.text && Math.abs(last.x - piece.x) < 0.25 * piece.size
      if (isDouble) continue
      if (last !== undefined && piece.x - end > columnGap * Math.max(last.size, piece.size)) {
        fragments.push(fragmentOf(run))
        run = []
      }
      run.push(piece)
      end = Math.max(run.length === 1 ? Number.NEGATIVE_INFINITY : end, piece.x + piece.width)
    }
    if (run.length > 0) fragments.push(fragmentOf(run))
  }
  return fragments
}
