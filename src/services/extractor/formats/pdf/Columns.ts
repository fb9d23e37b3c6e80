import { type Fragment } from "./Fragments.ts"

/** Columns in columns are looked for so deep: a page has no more than eight. */
const deepest = 3
/** Lines that a column has at the least. */
const fewestLines = 4
/** Letters that a line of a column has on average: a table's cells have fewer. */
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

/** Whether fragments look like the lines of a running text in a column of their own. */
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

/** Where the fewest fragments would be cut: the middles of the gaps between fragments that stand beside each other. */
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
 * The columns of a page in reading order, each from the top down. What reaches over two columns (a title, a wide
 * figure's caption) parts what is above it from what is below.
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
