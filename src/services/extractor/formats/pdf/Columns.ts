import { type Fragment } from "./Fragments.ts"

/** Maximum depth of columns within columns: a page has at most eight. */
const deepest = 3
/** Minimum number of lines in a column. */
const fewestLines = 4
/** Minimum average of letters per line of a column. The cells of a table have fewer. */
const shortestLine = 14

const extent = (fragments: ReadonlyArray<Fragment>): readonly [left: number, right: number] => {
  let left = Number.POSITIVE_INFINITY
  let right = Number.NEGATIVE_INFINITY
  for (const fragment of fragments) {
    left = Math.min(left, fragment.left)
    right = Math.max(right, fragment.right)
  }
  return [left, right]
}

/** Returns whether fragments look like the lines of running text in a column of their own. */
const isColumn = (fragments: ReadonlyArray<Fragment>): boolean => {
  if (fragments.length < fewestLines) return false
  const [left, right] = extent(fragments)
  const letters = fragments.reduce((sum, { text }) => sum + text.length, 0)
  const full = fragments.filter((fragment) => fragment.right - fragment.left > 0.55 * (right - left)).length
  return letters >= shortestLine * fragments.length && full * 2 >= fragments.length
}

interface Gutter {
  readonly at: number
  readonly crossing: number
}

/** Returns the middles of the gaps between adjacent fragments, those that cut the fewest fragments first. */
const gutters = (fragments: ReadonlyArray<Fragment>): ReadonlyArray<Gutter> => {
  const [left, right] = extent(fragments)
  const cells = Math.min(600, Math.max(1, Math.ceil((right - left) / 2)))
  const step = (right - left) / cells
  const changes = new Int32Array(cells + 2)
  for (const fragment of fragments) {
    const from = Math.floor((fragment.left - left) / step)
    const to = Math.ceil((fragment.right - left) / step)
    changes[from] = (changes[from] ?? 0) + 1
    changes[to] = (changes[to] ?? 0) - 1
  }
  const found: Array<Gutter> = []
  let crossing = 0
  let start = 0
  for (let cell = 0; cell <= cells; cell++) {
    const change = changes[cell] ?? 0
    if (change === 0) continue
    // A run of cells with the same count ends here.
    if (cell > start && start > 0) found.push({ at: left + ((start + cell) / 2) * step, crossing })
    crossing += change
    start = cell
  }
  return found.filter((gutter) => gutter.crossing * 4 <= fragments.length).toSorted((a, b) => a.crossing - b.crossing)
}

interface Split {
  readonly left: ReadonlyArray<Fragment>
  readonly right: ReadonlyArray<Fragment>
  readonly at: number
}

const splitAt = (fragments: ReadonlyArray<Fragment>, at: number): Split => ({
  at,
  left: fragments.filter(({ right }) => right <= at),
  right: fragments.filter(({ left }) => left >= at)
})

const split = (fragments: ReadonlyArray<Fragment>): Split | null =>
  gutters(fragments)
    .slice(0, 12)
    .map(({ at }) => splitAt(fragments, at))
    .find(({ left, right }) => isColumn(left) && isColumn(right)) ?? null

/**
 * Returns the columns of a page in reading order, each from top to bottom. A fragment across two columns (a title, the
 * caption of a wide figure) separates the content above from the content below.
 */
export const columnsOf = (
  fragments: ReadonlyArray<Fragment>,
  depth = deepest
): ReadonlyArray<ReadonlyArray<Fragment>> => {
  const found = depth > 0 ? split(fragments) : null
  if (found === null) return fragments.length === 0 ? [] : [fragments]
  const columns: Array<ReadonlyArray<Fragment>> = []
  let left: Array<Fragment> = []
  let right: Array<Fragment> = []
  let across: Array<Fragment> = []
  const endBand = () => {
    columns.push(...columnsOf(left, depth - 1), ...columnsOf(right, depth - 1))
    left = []
    right = []
  }
  for (const fragment of fragments) {
    if (fragment.right <= found.at || fragment.left >= found.at) {
      if (across.length > 0) columns.push(across)
      across = []
      ;(fragment.right <= found.at ? left : right).push(fragment)
    } else {
      endBand()
      across.push(fragment)
    }
  }
  endBand()
  if (across.length > 0) columns.push(across)
  return columns
}
