/** The codings that representations are kept in, the best first. */
export const contentEncodings = ["br", "gzip", "identity"] as const
export type ContentEncoding = (typeof contentEncodings)[number]

/** The weight of each coding in an `Accept-Encoding` field (RFC 9110, sections 12.4.2 and 12.5.3). */
const weightsOf = (field: string): ReadonlyMap<string, number> =>
  new Map(
    field.split(",").flatMap((member) => {
      const [coding = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase())
      if (coding === "") return []
      const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1"
      const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0
      return [[coding === "x-gzip" ? "gzip" : coding, weight] as const]
    })
  )

/**
 * The coding to answer in, of those that are offered. A client that forbids all of them gets `identity`, as RFC 9110
 * (section 12.5.3) allows: a page is more use to it than a refusal.
 */
export const encodingFor = (
  acceptEncoding: string | undefined,
  offered: ReadonlyArray<ContentEncoding> = contentEncodings
): ContentEncoding => {
  const weights = weightsOf(acceptEncoding ?? "")
  // `identity` is acceptable unless it is ruled out, but anything that is named comes before it.
  const weightOf = (coding: ContentEncoding) =>
    weights.get(coding) ?? (coding === "identity" ? 0 : (weights.get("*") ?? 0))
  const [first = "identity", ...others] = offered.filter((coding) => weightOf(coding) > 0)
  return others.reduce((best, coding) => (weightOf(coding) > weightOf(best) ? coding : best), first)
}
