import * as fc from "fast-check"
import { type Dispatcher } from "undici"
import { requests, type Sent } from "./Requests.ts"

/** What was wrong with an answer. */
export interface Found {
  readonly seed: number
  readonly wrong: string
  readonly sent: Sent
  readonly answer: string
}

/** Each request is another client's, so that budgets do not end the run. */
const newClient = (() => {
  const state = { next: 0 }
  return () => {
    const number = state.next++
    return `${11 + ((number >> 24) & 31)}.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
  }
})()

const inside = /node_modules|\n\s+at |file:\/\/|dist\/(?:main|shared)|\.[cm]?[jt]s:\d+|ERR_[A-Z_]+|FiberFailure/

/** What an answer must not be, whatever was asked. */
const problemOf = (sent: Sent, status: number, headers: Record<string, unknown>, text: string): string | null => {
  if (status >= 500 && ![502, 503, 504].includes(status)) return `status ${status}`
  if (
    status >= 500 &&
    !/"error":"(?:Search failed|Search timed out|Fetch failed|Fetch timed out|Not ready)"/.test(text) &&
    sent.method !== "HEAD"
  )
    return `status ${status} of another error`
  if (inside.test(text) && !text.includes('"success":true')) return "it tells of its inside"
  if (headers["x-request-id"] === undefined || headers["ratelimit"] === undefined) return "no request id or budget"
  // The document has examples of everything that may go wrong.
  if (headers["content-encoding"] !== undefined || sent.path.startsWith("/openapi.json")) return null
  const type = String(headers["content-type"] ?? "")
  if (type.startsWith("application/json") && text !== "") {
    try {
      JSON.parse(text)
    } catch {
      return "JSON that is none"
    }
  }
  if (sent.method === "HEAD" && text !== "") return "a body for HEAD"
  if (/"error":"Internal server error"/.test(text) || /"code":-32603|"_tag":"InternalError"/.test(text))
    return "an internal error"
  return null
}

const send = async (to: Dispatcher, seed: number, sent: Sent): Promise<Found | null> => {
  const isEmpty = sent.body === null || sent.method === "GET" || sent.method === "HEAD"
  const found = (wrong: string, answer: string): Found => ({ seed, wrong, sent, answer: answer.slice(0, 500) })
  try {
    const { body, headers, statusCode } = await to.request({
      method: sent.method,
      path: sent.path,
      headers: { ...sent.headers, "x-forwarded-for": newClient() },
      body: isEmpty ? null : sent.body,
      headersTimeout: 45_000,
      bodyTimeout: 45_000
    })
    const text = await body.text()
    const wrong = problemOf(sent, statusCode, headers, text)
    return wrong === null ? null : found(`${wrong} (${statusCode})`, text)
  } catch (error) {
    return found(`no answer: ${String(error)}`, "")
  }
}

export const roundSize = 500

/** Sends the first `size` requests that a seed stands for, many at once, and gives what was wrong with the answers. */
export const round = async (
  to: Dispatcher,
  pages: ReadonlyArray<string>,
  seed: number,
  size = roundSize
): Promise<ReadonlyArray<Found>> => {
  const queue = fc.sample(requests(pages), { seed, numRuns: size })
  const wrong: Array<Found> = []
  const worker = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const found = await send(to, seed, next)
      if (found !== null) wrong.push(found)
    }
  }
  await Promise.all(Array.from({ length: 48 }, worker))
  return wrong
}
