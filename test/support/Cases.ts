/** Whether this is `npm run test:slow`, which runs every case; the other projects run a sample of them. */
export const isSlow = process.env["QUARRY_SLOW"] === "1"

/** Every case in the slow project, the first `count` in the others. */
export const sample = <Case>(cases: ReadonlyArray<Case>, count = 1): ReadonlyArray<Case> =>
  isSlow ? cases : cases.slice(0, count)
