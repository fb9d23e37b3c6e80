import { languageTag, type Region } from "../../../domain/Region.ts"

type Value = string | number | null | ReadonlyArray<string | number>

/** Request parameters in the given order. Null values are omitted; a list repeats its parameter. */
export const params = (
  values: Readonly<Record<string, Value>>
): ReadonlyArray<readonly [name: string, value: string]> =>
  Object.entries(values).flatMap(([name, value]) => {
    const given = value === null ? [] : typeof value === "object" ? value : [value]
    return given.map((one): readonly [string, string] => [name, String(one)])
  })

/** Members of a JSON body without the null values. */
export const given = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/** The `Accept-Language` value of a browser in that region. */
export const acceptLanguage = (region: Region): string => {
  const own = [languageTag(region), `${region.language};q=0.9`]
  const english = region.language === "en" ? [] : ["en;q=0.5"]
  return Array.from(new Set([...own, ...english])).join(",")
}

/** The first `length` code points, without trailing white space. */
export const firstPoints = (text: string, length: number): string =>
  Array.from(text.slice(0, length * 2))
    .slice(0, length)
    .join("")
    .trimEnd()
