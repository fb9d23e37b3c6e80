import { languageTag, type Region } from "../../../domain/Region.ts"

type Value = string | number | null | ReadonlyArray<string | number>

/** Parameters in the order written: null is left out, a list is repeated. */
export const params = (
  values: Readonly<Record<string, Value>>
): ReadonlyArray<readonly [name: string, value: string]> =>
  Object.entries(values).flatMap(([name, value]) => {
    const given = value === null ? [] : typeof value === "object" ? value : [value]
    return given.map((one): readonly [string, string] => [name, String(one)])
  })

/** Members of a JSON body: null is left out. */
export const given = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/** `Accept-Language` as a browser of that region sends it. */
export const acceptLanguage = (region: Region): string => {
  const own = [languageTag(region), `${region.language};q=0.9`]
  const english = region.language === "en" ? [] : ["en;q=0.5"]
  return Array.from(new Set([...own, ...english])).join(",")
}

/** The first `length` code points. */
export const firstPoints = (text: string, length: number): string =>
  Array.from(text.slice(0, length * 2))
    .slice(0, length)
    .join("")
    .trimEnd()
