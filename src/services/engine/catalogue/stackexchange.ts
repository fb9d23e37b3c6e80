import { Option, Schema } from "effect"
import { oldestWithin } from "../../../domain/Dates.ts"
import { rawText } from "../../../domain/RawResult.ts"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  fault,
  pageAfter,
  type Parsed,
  results
} from "../Engine.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { decodeEntities, textOfHtml } from "../toolkit/HtmlPage.ts"
import { firstPoints, params } from "../toolkit/Request.ts"

/**
 * Stack Overflow questions, through the Stack Exchange API. https://api.stackexchange.com/docs/advanced-search
 *
 * - 300 requests a day per IP address without a key, counted in `quota_remaining`. More than 30 requests a second block
 *   the IP address. https://api.stackexchange.com/docs/throttle
 * - A throttled request returns `throttle_violation` (`error_id` 502), usually with status 400.
 * - Titles contain entities. Bodies (requested by the filter `withbody`) are HTML of any length.
 * - Pages after the 25th require a token.
 */
const Answer = Schema.Struct({ items: Json.items, has_more: Json.member(Schema.Boolean) })

const Refusal = Schema.Struct({ error_id: Json.number, error_name: Json.text })

const Question = Schema.Struct({
  title: Json.text,
  link: Json.text,
  question_id: Json.number,
  body: Json.text,
  excerpt: Json.text,
  tags: Json.list(Schema.String)
})

const pageSize = 100
const lastPage = 25
/** Maximum lengths of a question's body: parsed (characters of HTML) and shown (code points). */
const bodyRead = 4_000
const bodyShown = 300

const request = (query: EngineQuery<"text">, cursor: Cursor) => ({
  method: "GET" as const,
  url: "https://api.stackexchange.com/2.3/search/advanced",
  params: params({
    q: query.text,
    site: "stackoverflow",
    sort: "relevance",
    order: "desc",
    page: cursor.page,
    pagesize: pageSize,
    filter: "withbody",
    fromdate: query.timelimit && Math.floor(oldestWithin(query.timelimit, query.now) / 1000)
  }),
  persona: "program" as const,
  follow: true
})

const decode = Json.decodeBody(Answer)
const decodeRefusal = Schema.decodeUnknownOption(Schema.parseJson(Refusal))
const decodeQuestion = Json.decodeItem(Question)

const isThrottled = (body: string): boolean =>
  Option.match(decodeRefusal(body), {
    onNone: () => false,
    onSome: ({ error_id, error_name }) => error_id === 502 || error_name === "throttle_violation"
  })

const shown = (html: string): string => {
  const text = (textOfHtml(html.slice(0, bodyRead)) ?? "").replace(/\s+/g, " ").trim()
  const start = firstPoints(text, bodyShown)
  return start.length < text.length ? `${start}…` : text
}

const parse = (answer: EngineAnswer, _query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  if (isThrottled(answer.body)) return fault("rate_limited")
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  if (body.items.length === 0) return body.has_more === false ? empty : fault("layout_changed")
  const items = body.items.map(decodeQuestion).map((question) => {
    if (question === null) return null
    const number = question.question_id
    const address = Number.isSafeInteger(number) ? `https://stackoverflow.com/questions/${number}` : null
    const text = question.body ?? question.excerpt
    return rawText({
      title: decodeEntities(question.title ?? ""),
      url: question.link ?? address,
      body: text === null ? question.tags.join(", ") : shown(text)
    })
  })
  return results(items, body.has_more === true && cursor.page < lastPage ? pageAfter(cursor) : null)
}

export const stackexchange = {
  name: "stackexchange",
  website: "https://stackoverflow.com",
  documentation: "https://api.stackexchange.com/docs/advanced-search",
  access: "api",
  pace: { perMinute: 10, burst: 10 },
  sources: { text: { weight: 0.5, isSpecial: true, honours: ["timelimit"], request, parse } }
} as const satisfies Engine
