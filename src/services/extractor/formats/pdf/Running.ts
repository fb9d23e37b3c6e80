import { type Fragment } from "./Fragments.ts"

/** Maximum number of lines of a running head or foot. */
const mostLines = 2
/** Minimum distance from the text, as a multiple of the font size. */
const distance = 1.8
/** Minimum share of pages that repeat a running head. Left and right pages have different ones. */
const share = 0.3

/** Replaces numbers: running heads differ in their numbers only. */
const keyOf = ({ text }: Fragment): string => text.replace(/\d+/g, "#")

const isPageNumber = ({ text }: Fragment): boolean =>
  /^[-–—\s]*(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:\/|of)\s*\d{1,4})?[-–—\s]*$/i.test(text)

/** Returns the first fragments in the given order, when a gap separates them from the rest of the page. */
const frontOf = (page: ReadonlyArray<Fragment>): ReadonlyArray<Fragment> => {
  let lines = 1
  for (const [index, fragment] of page.entries()) {
    const step = Math.abs((page[index + 1]?.y ?? fragment.y) - fragment.y)
    if (step > distance * fragment.size) return page.slice(0, index + 1)
    if (step > 0 && ++lines > mostLines) break
  }
  return []
}

const edgesOf = (page: ReadonlyArray<Fragment>): ReadonlyArray<Fragment> => [
  ...frontOf(page),
  ...frontOf(page.toReversed())
]

/** Removes running heads, feet and page numbers. */
export const withoutRunning = (
  pages: ReadonlyArray<ReadonlyArray<Fragment>>
): ReadonlyArray<ReadonlyArray<Fragment>> => {
  const counts = new Map<string, number>()
  for (const page of pages)
    for (const key of new Set(edgesOf(page).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1)
  const least = Math.max(3, share * pages.length)
  return pages.map((page) => {
    const running = new Set(
      edgesOf(page).filter(
        (fragment) => (counts.get(keyOf(fragment)) ?? 0) >= least || (pages.length > 1 && isPageNumber(fragment))
      )
    )
    return page.filter((fragment) => !running.has(fragment))
  })
}
