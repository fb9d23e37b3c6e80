/** Codings of stored representations, in order of preference. */
export const contentEncodings = ["br", "gzip", "identity"] as const
export type ContentEncoding = (typeof contentEncodings)[number]

/** Returns the weight of each coding in an `Accept-Encoding` field (RFC 9110, sections 12.4.2 and 12.5.3). */
const weightsOf = (field: string): ReadonlyMap<string, number> =>
  new Map(
    field.split(",").flatMap((member) => {
      const [coding = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase())
      if (coding === "") return []
      // Tolerates white space around "=": a weight of 0 written that way is a refusal too.
      const q = parameters.flatMap((parameter) => /^q\s*=\s*(.*)$/.exec(parameter)?.[1] ?? [])[0] ?? "1"
      const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0
      return [[coding === "x-gzip" ? "gzip" : coding, weight] as const]
    })
  )

/**
 * Selects one of the offered codings. A client that forbids all of them gets `identity`, which RFC 9110 (section
 * 12.5.3) allows: a page is more useful to it than an error.
 */
export const encodingFor = (
  acceptEncoding: string | undefined,
  offered: ReadonlyArray<ContentEncoding> = contentEncodings
): ContentEncoding => {
  const weights = weightsOf(acceptEncoding ?? "")
  // `identity` is acceptable unless it is excluded, but every listed coding is preferred to it.
  const weightOf = (coding: ContentEncoding) =>
    weights.get(coding) ?? (coding === "identity" ? 0 : (weights.get("*") ?? 0))
  const [first = "identity", ...others] = offered.filter((coding) => weightOf(coding) > 0)
  return others.reduce((best, coding) => (weightOf(coding) > weightOf(best) ? coding : best), first)
}
