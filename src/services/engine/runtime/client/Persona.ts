import { type EngineRequest } from "../../Engine.ts"
import { acceptEncoding } from "../../../http-client/ContentEncoding.ts"
import { userAgent } from "../../../http-client/UserAgent.ts"

type Header = readonly [name: string, value: string]

/**
 * Engines serve their plain pages only to a browser's User-Agent. The TLS handshake does not match this Chrome version.
 */
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"

const acceptLanguage: Header = ["Accept-Language", "en-US,en;q=0.9"]

/**
 * The complete header set in a browser's order. A form counts as sent from the engine's own page, a GET as typed into
 * the address bar.
 */
const browser = (fromForm: boolean): ReadonlyArray<Header> => [
  ["User-Agent", chrome],
  ["Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
  acceptLanguage,
  ["Accept-Encoding", acceptEncoding],
  ["Upgrade-Insecure-Requests", "1"],
  ["Sec-Fetch-Dest", "document"],
  ["Sec-Fetch-Mode", "navigate"],
  ["Sec-Fetch-Site", fromForm ? "same-origin" : "none"],
  ["Sec-Fetch-User", "?1"]
]

/** The headers that `fetch` sends from a script of the engine's own page. */
const script: ReadonlyArray<Header> = [
  ["User-Agent", chrome],
  ["Accept", "*/*"],
  acceptLanguage,
  ["Accept-Encoding", acceptEncoding],
  ["Sec-Fetch-Dest", "empty"],
  ["Sec-Fetch-Mode", "cors"],
  ["Sec-Fetch-Site", "same-origin"]
]

const program: ReadonlyArray<Header> = [
  ["User-Agent", userAgent],
  ["Accept", "application/json, application/xml;q=0.9, */*;q=0.5"],
  acceptLanguage,
  ["Accept-Encoding", acceptEncoding]
]

/** Replaces headers by case-insensitive name, in place, and appends the new ones. */
const overridden = (headers: ReadonlyArray<Header>, by: ReadonlyArray<Header>): ReadonlyArray<Header> => {
  const wins = new Map(by.map((header) => [header[0].toLowerCase(), header]))
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  return [
    ...headers.map((header) => wins.get(header[0].toLowerCase()) ?? header),
    ...by.filter(([name]) => !names.has(name.toLowerCase()))
  ]
}

const cookieHeader = (cookies: Readonly<Record<string, string>>): ReadonlyArray<Header> => {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? [] : [["Cookie", pairs.join("; ")]]
}

/**
 * The headers of an engine request: those of the persona, the content type and the cookies. Headers of the request take
 * precedence.
 */
export const headersOf = (request: EngineRequest): ReadonlyArray<Header> => {
  const isForm = request.form !== undefined
  const personas = { browser: browser(isForm), script, program }
  const mediaType = isForm ? "application/x-www-form-urlencoded" : "application/json"
  const type: ReadonlyArray<Header> = isForm || request.json !== undefined ? [["Content-Type", mediaType]] : []
  return overridden(
    [...personas[request.persona], ...type, ...cookieHeader(request.cookies ?? {})],
    Object.entries(request.headers ?? {})
  )
}
