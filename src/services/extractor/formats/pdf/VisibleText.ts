import { type Drawing, type Run } from "./Drawing.ts"
import { type Placed } from "./Fragments.ts"

/** A run where it stands on the page. */
export interface PlacedRun extends Placed, Pick<Run, "look"> {}

export interface VisibleRuns<Piece> {
  readonly pieces: ReadonlyArray<Piece>
  readonly isAnyHidden: boolean
}

/** Comparisons of pieces with runs: a page has some 10,000. */
const budget = 4_000_000
/** Points that baselines of the same line may be apart. */
const sameLine = 2

const lettersOf = (runs: ReadonlyArray<Run>, look: Run["look"]): number =>
  runs.reduce((sum, run) => (run.look === look ? sum + run.text.length : sum), 0)

/** Whether unpainted text is that of a page that is a picture, as recognition of text adds it. */
const isRecognised = ({ pictures, runs }: Drawing): boolean => {
  const unpainted = lettersOf(runs, "unpainted")
  const seen = lettersOf(runs, "seen")
  return seen === 0 || (pictures > 0.5 && unpainted > seen)
}

/**
 * The pieces of a page without text that does not show. A piece that holds some is replaced by the runs in its place
 * that do show; if there is nothing to hide, all is as it was.
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
