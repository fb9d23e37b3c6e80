import { percentDecoded } from "../../domain/PercentEncoding.ts"

/** The last part of a URL's path, for pictures that have no other name; null when it has none. */
export const fileNameOf = (link: string): string | null => {
  if (!URL.canParse(link)) return null
  const last = new URL(link).pathname.split("/").at(-1) ?? ""
  return last === "" ? null : percentDecoded(last)
}
