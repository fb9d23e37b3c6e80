import { Either, Predicate } from "effect"
import { webUrl } from "../../../domain/WebUrl.ts"
import { entryLimit, entryOf, type Feed, type Field } from "./Feed.ts"

/** Characters. Longer documents are not read as feeds. */
const longestFeed = 2_000_000
const version = /jsonfeed\.org\\?\/version/

const member = (value: unknown, name: string): unknown =>
  Predicate.isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The members that hold each field of a feed or an item (JSON Feed 1.1). The first one present is used. */
const names: ReadonlyArray<readonly [Field, ReadonlyArray<string>]> = [
  ["title", ["title"]],
  ["link", ["url", "home_page_url", "external_url"]],
  ["guid", ["id"]],
  ["published", ["date_published"]],
  ["updated", ["date_modified"]],
  ["summary", ["summary", "description"]],
  ["language", ["language"]]
]

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const valuesOf = (item: unknown, base: string): ReadonlyMap<Field, string> => {
  const values = new Map<Field, string>()
  const set = (field: Field, value: unknown) => {
    if (typeof value === "string" && value.trim() !== "" && !values.has(field)) values.set(field, value)
  }
  for (const [field, candidates] of names)
    for (const name of candidates) {
      const value = member(item, name)
      if (field === "link") set(field, typeof value === "string" ? webUrl(value, base) : null)
      else set(field, typeof value === "string" ? escaped(value) : null)
    }
  for (const author of [...listOf(member(item, "authors")), member(item, "author")])
    set("author", member(author, "name"))
  set("content", member(item, "content_html"))
  const text = member(item, "content_text")
  set("content", typeof text === "string" ? escaped(text) : null)
  return values
}

/** Reads a JSON Feed. Returns null for any other document. */
export const readJsonFeed = (source: string, base: string): Feed | null => {
  if (source.length > longestFeed || !version.test(source)) return null
  const json = Either.try((): unknown => JSON.parse(source)).pipe(Either.getOrNull)
  const items = member(json, "items")
  if (!version.test(String(member(json, "version"))) || !Array.isArray(items)) return null
  const values = valuesOf(json, base)
  return {
    ...entryOf(values),
    language: values.get("language") ?? null,
    entries: items.slice(0, entryLimit).map((item) => entryOf(valuesOf(item, base))),
    truncated: items.length > entryLimit
  }
}
