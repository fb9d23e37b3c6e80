/** How many results are looked at. */
const depth = 10

/** The grade from which a page counts as good. */
const good = 2

/** Grades of a list's first results, best rank first. */
export type Grades = ReadonlyArray<number>

/** Discounted cumulative gain of the first ten, with exponential gain (Burges et al., 2005). */
const discountedGain = (grades: Grades): number =>
  grades.slice(0, depth).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0)

/** nDCG@10 against the best order of all that was judged; from 0 to 1. */
export const normalizedGain = (grades: Grades, judged: Grades): number =>
  discountedGain(grades) / discountedGain(judged.toSorted((one, other) => other - one))

/** The part of ten places that hold a good page; a shorter list leaves places empty. */
export const precision = (grades: Grades): number =>
  grades.slice(0, depth).filter((grade) => grade >= good).length / depth
