import { type Drawing, type Run } from "./Drawing.ts"
import { type Placed } from "./Fragments.ts"

/** A run with its position on the page. */
export interface PlacedRun extends Placed, Pick<Run, "look"> {}

export interface VisibleRuns<Piece> {
  readonly pieces: ReadonlyArray<Piece>
  readonly isAnyHidden: boolean
}

/** Maximum number of comparisons of pieces with runs. A page has some 10,000. */
const budget = 4_000_000
/** Maximum distance between the baselines of one line, in points. */
const sameLine = 2

const lettersOf = (runs: ReadonlyArray<Run>, look: Run["look"]): number =>
  runs.reduce((sum, run) => (run.look === look ? sum + run.text.length : sum), 0)

/** Returns whether unpainted text is the text layer that OCR adds to an image of a page. */
const isRecognised = ({ pictures, runs }: Drawing): boolean => {
  const unpainted = lettersOf(runs, "unpainted")
  const seen = lettersOf(runs, "seen")
  return seen === 0 || (pictures > 0.5 && unpainted > seen)
}

/**
 * Removes text that is not visible from the pieces of a page. Replaces a piece that contains hidden text by the visible
 * runs in its place. Returns the pieces unchanged when nothing is hidden.
 */
export const visibleOf = <Piece extends Placed>(
  pieces: ReadonlyArray<Piece>,
  drawing: Drawing,
  place: (run: Run) => (Piece & PlacedRun) | null
): VisibleRuns<Piece> => {
  const isPaintless = isRecognised(drawing)
  const isHidden = ({ look }: Pick<Run, "look">): boolean => look === "unseen" || (look === "unpainted" && !isPaintless)
  if (!drawing.runs.some(isHidden)) return { pieces, isAnyHidden: false }
  const lines = new Map<number, Array<Piece & PlacedRun>>()
  for (const run of drawing.runs) {
    const placed = place(run)
    if (placed === null) continue
    const key = Math.round(placed.y / sameLine)
    const line = lines.get(key)
    if (line === undefined) lines.set(key, [placed])
    else line.push(placed)
  }
  const used = new Set<Placed>()
  let left = budget
  const seen = pieces.flatMap((piece): ReadonlyArray<Piece> => {
    const key = Math.round(piece.y / sameLine)
    const near = [key - 1, key, key + 1].flatMap((line) => lines.get(line) ?? [])
    left -= near.length
    if (left < 0) return []
    const within = near.filter(
      ({ x }) => x >= piece.x - 0.5 * piece.size && x <= piece.x + piece.width + 0.1 * piece.size
    )
    if (!within.some(isHidden)) return [piece]
    const shown = within.filter((run) => !isHidden(run) && !used.has(run))
    for (const run of shown) used.add(run)
    return shown
  })
  return { pieces: seen, isAnyHidden: true }
}
