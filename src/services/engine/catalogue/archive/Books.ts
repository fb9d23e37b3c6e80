import { rawBook } from "../../../../domain/RawResult.ts"
import { type Cursor, type EngineAnswer, type EngineQuery, type Source } from "../../Engine.ts"
import { spokenName } from "../../toolkit/PersonName.ts"
import { type Item, pageOf, parse, pictureOf, request } from "./Items.ts"

const yearOf = (item: Item): number => Number(/\d{4}/.exec(item.year[0] ?? item.date[0] ?? "")?.[0] ?? NaN)

const infoOf = (item: Item): string => {
  const year = yearOf(item)
  const pages = Number(item.imagecount[0] ?? 0)
  return [item.language.join(", "), pages > 0 ? `${pages} page images` : "", Number.isNaN(year) ? "" : String(year)]
    .filter((part) => part !== "")
    .join("; ")
}

const found = (item: Item) =>
  rawBook({
    // Catalogues put a space before the punctuation that follows the main title.
    title: item.title[0]?.replace(/\s+(?=[:;] )/g, ""),
    url: pageOf(item),
    authors: item.creator.map(spokenName),
    publisher: item.publisher[0],
    info: infoOf(item),
    thumbnail: pictureOf(item),
    year: yearOf(item),
    languages: item.language,
    isbns: item.isbn.map((isbn) => isbn.replace(/[\s-]/g, "")).filter((isbn) => /^(?:\d{13}|\d{9}[\dXx])$/.test(isbn))
  })

export const books = {
  weight: 0.6,
  honours: [],
  request: (query: EngineQuery<"books">, cursor: Cursor) => request(query.text, ["mediatype:(texts)"], cursor),
  parse: (answer: EngineAnswer, _query: EngineQuery<"books">, cursor: Cursor) => parse<"books">(answer, cursor, found)
} as const satisfies Source<"books">
