import { OpenApi } from "@effect/platform"
import * as fc from "fast-check"
import { Api } from "../../src/http/Api.ts"
import { Procedures } from "../../src/http/Rpc.ts"
import { forbidden } from "../services/fetcher/forbidden.ts"

/** A request as it is sent; `path` with its query. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

interface Schema {
  readonly enum?: ReadonlyArray<unknown>
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
  readonly example?: unknown
}

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
}

const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters: ReadonlyArray<Parameter> }>>>>
} = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

/** Every endpoint there is, from the one definition of them. */
const endpoints: ReadonlyArray<Endpoint> = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters }]) => ({ method: method.toUpperCase(), path, parameters }))
)

const anyText = fc.string({ unit: "binary", maxLength: 40 })

const oddText = fc.oneof(
  fc.constantFrom("", " ", "0", "-1", "1e9", "0x10", "1.0", "NaN", "null", "true", "\0", "\u{202e}", "%00", "%", "%zz"),
  fc.constantFrom("__proto__", "constructor", "../../etc/passwd", "<script>alert(1)</script>", "' or 1=1 --", "${7*7}"),
  fc.constantFrom(
    "\u{d800}",
    "\u{feff}",
    "e\u{301}".repeat(30),
    "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "\r\nX: y"
  ),
  fc.constantFrom("a".repeat(1_000), "a".repeat(1_001), "9".repeat(400)),
  anyText,
  fc.string({ maxLength: 200 }),
  fc.bigInt().map(String),
  fc.double().map(String)
)

/** Few enough that most searches are answered from what is kept: engines are not what is tried here. */
const query = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom("bridges", "caf\u{e9}", "\u{4e16}\u{754c}", "a b c") },
  { weight: 1, arbitrary: anyText }
)

const valueOf = ({ example, name, schema }: Parameter): fc.Arbitrary<string> => {
  const { enum: members = [], maximum, minimum } = schema
  const near = [minimum, maximum].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]))
  const known = [...members, ...near, schema.default, example].filter((one) => one !== undefined).map(String)
  const proper = name === "q" ? query : fc.constantFrom(...(known.length === 0 ? [""] : known))
  return fc.oneof({ weight: 6, arbitrary: proper }, { weight: 1, arbitrary: oddText })
}

const pairs = (parameters: ReadonlyArray<Parameter>): fc.Arbitrary<ReadonlyArray<readonly [string, string]>> =>
  fc
    .tuple(
      ...parameters.map((parameter) =>
        fc.oneof(
          {
            weight: parameter.name === "q" ? 20 : 3,
            arbitrary: valueOf(parameter).map((value) => [[parameter.name, value] as const])
          },
          { weight: parameter.name === "q" ? 1 : 6, arbitrary: fc.constant([]) },
          {
            weight: 1,
            arbitrary: fc.array(
              valueOf(parameter).map((value) => [parameter.name, value] as const),
              { maxLength: 3 }
            )
          }
        )
      ),
      fc.array(fc.tuple(oddText, oddText), { maxLength: 2 })
    )
    .map((lists) => lists.flat())

const queryOf = (given: ReadonlyArray<readonly [string, string]>): string => {
  const text = given.map(
    ([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`
  )
  return text.length === 0 ? "" : `?${text.join("&")}`.slice(0, 9_000)
}

/** Header values that undici sends. */
const headerText = fc.oneof(
  fc.constantFrom("application/json", "text/plain", "*/*", "", "gzip", "application/xml; q=1", "text/event-stream"),
  fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)), maxLength: 60 })
)

const headers = fc.dictionary(
  fc.constantFrom(
    ...["accept", "accept-encoding", "accept-language", "authorization", "cookie", "content-type", "if-none-match"],
    ...["origin", "x-request-id", "range", "forwarded", "x-real-ip", "access-control-request-method", "via"],
    ...["mcp-protocol-version", "mcp-session-id", "last-event-id", "traceparent", "referer", "user-agent", "b3"]
  ),
  headerText,
  { maxKeys: 3, noNullPrototype: true }
)

const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND")
  }
)

const json = fc.jsonValue({ maxDepth: 3 })

/** Deeper than anything should be read. */
const deep = fc
  .integer({ min: 1, max: 20_000 })
  .chain((levels) =>
    fc.constantFrom(
      `${"[".repeat(levels)}${"]".repeat(levels)}`,
      `{"urls":${"[".repeat(levels)}${"]".repeat(levels)}}`,
      `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
      "[".repeat(levels)
    )
  )

/** JSON of which something is missing, doubled or changed. */
const broken = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.nat(), fc.nat(20), anyText).map(([whole, at, length, put]) => {
    const start = whole.length === 0 ? 0 : at % whole.length
    return whole.slice(0, start) + put + whole.slice(start + length)
  })

const body = (proper: fc.Arbitrary<unknown>): fc.Arbitrary<string> => {
  const text = proper.map((value) => JSON.stringify(value) ?? "")
  return fc.oneof(
    { weight: 10, arbitrary: text },
    { weight: 2, arbitrary: broken(text) },
    { weight: 1, arbitrary: json.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: anyText },
    { weight: 1, arbitrary: deep }
  )
}

const urls = (pages: ReadonlyArray<string>) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...pages) },
    { weight: 12, arbitrary: fc.constantFrom(...forbidden.map(([url]) => url)) },
    { weight: 4, arbitrary: oddText },
    { weight: 2, arbitrary: fc.ipV4Extended().map((host) => `http://${host}:1/`) },
    { weight: 2, arbitrary: fc.ipV6().map((host) => `http://[${host}]:1/`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom("http://127.0.0.1:1/", "https://localhost/"), oddText)
        .map(([base, rest]) => base + rest)
    }
  )

/** Members as they should be, with some that are not. */
const members = (proper: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc
    .tuple(
      fc.record(proper, { requiredKeys: [] }),
      fc.oneof(
        { weight: 4, arbitrary: fc.constant({}) },
        {
          weight: 1,
          arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(proper), "x"), json, {
            maxKeys: 2,
            noNullPrototype: true
          })
        }
      )
    )
    .map(([right, wrong]) => ({ ...right, ...wrong }))

/** What the parameters of an endpoint are, as members of an object. */
const argumentsOf = (
  parameters: ReadonlyArray<Parameter>,
  pages: ReadonlyArray<string>,
  rename: (name: string) => string
) =>
  members(
    Object.fromEntries(
      parameters.map((parameter) => {
        const value: fc.Arbitrary<unknown> = parameter.name === "url" ? urls(pages) : valueOf(parameter)
        return [
          rename(parameter.name),
          fc.oneof(
            value,
            value.map((text) => (Number.isFinite(Number(text)) ? Number(text) : text))
          )
        ]
      })
    )
  )

const parametersOf = (path: string) => endpoints.find((endpoint) => endpoint.path === path)?.parameters ?? []

const batchMembers = (pages: ReadonlyArray<string>) =>
  members({
    urls: fc.array(urls(pages), { maxLength: 12 }),
    timeout: fc.integer({ min: 4, max: 31 }),
    max_length: fc.integer({ min: 99, max: 20_001 }),
    format: fc.constantFrom("text", "markdown", "html", "pdf")
  })

const tools: ReadonlyArray<readonly [tool: string, path: string]> = [
  ["search_web", "/api/search/text"],
  ["search_images", "/api/search/images"],
  ["search_videos", "/api/search/videos"],
  ["search_news", "/api/search/news"],
  ["search_books", "/api/search/books"],
  ["search_everything", "/api/search/all"],
  ["fetch_content", "/api/content/fetch"]
]

const rpcId = fc.oneof(fc.integer(), fc.string({ maxLength: 10 }), fc.constant(null))

const mcpMessage = (pages: ReadonlyArray<string>) => {
  const call = fc
    .oneof(
      ...tools.map(([name, path]) =>
        argumentsOf(parametersOf(path), pages, (parameter) => (parameter === "q" ? "query" : parameter)).map(
          (given) => ({ name, arguments: given })
        )
      ),
      batchMembers(pages).map((given) => ({ name: "fetch_multiple_contents", arguments: given })),
      fc.record({ name: oddText, arguments: json })
    )
    .map((params) => ({ method: "tools/call", params }))
  const other = fc.record({
    method: fc.oneof(
      fc.constantFrom(
        "initialize",
        "ping",
        "tools/list",
        "resources/list",
        "resources/read",
        "resources/templates/list"
      ),
      fc.constantFrom(
        "prompts/list",
        "prompts/get",
        "server/discover",
        "notifications/initialized",
        "notifications/cancelled"
      ),
      fc.constantFrom("completion/complete", "logging/setLevel", "subscriptions/listen", "sampling/createMessage"),
      oddText
    ),
    params: fc.oneof(
      fc.constant({ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } }),
      fc.constant({ uri: "quarry://engines" }),
      fc.constant({ _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
      json
    )
  })
  return fc
    .tuple(
      fc.oneof({ weight: 2, arbitrary: call }, { weight: 3, arbitrary: other }),
      rpcId,
      fc.constantFrom("2.0", "2.0", "2.0", "2.0", "1.0")
    )
    .map(([message, id, jsonrpc]) => ({ jsonrpc, id, ...message }))
}

const mcp = (pages: ReadonlyArray<string>): fc.Arbitrary<Sent> => {
  const message = mcpMessage(pages)
  const messages = fc.oneof(
    { weight: 8, arbitrary: message },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }) },
    { weight: 1, arbitrary: json }
  )
  const version = fc.constantFrom("2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "1999-01-01")
  return fc.tuple(methods, body(messages), headers, fc.option(version)).map(([method, text, given, revision]) => ({
    method: method ?? "POST",
    path: "/ai/mcp",
    headers: {
      "content-type": "application/json",
      ...given,
      ...(revision === null ? {} : { "mcp-protocol-version": revision })
    },
    body: text
  }))
}

const rpc = (pages: ReadonlyArray<string>): fc.Arbitrary<Sent> => {
  const tags = Array.from(Procedures.requests.keys())
  const pathOf = (tag: string) =>
    tag === "searchAll" || tag === "all"
      ? "/api/search/all"
      : tag === "fetch"
        ? "/api/content/fetch"
        : `/api/search/${tag}`
  const call = fc.constantFrom(...tags).chain((tag) =>
    fc.record({
      _tag: fc.constantFrom("Request", "Request", "Request", "Request", "Ping", "Eof", "Ack", "Interrupt", "Nonsense"),
      id: fc.oneof(fc.nat().map(String), fc.constantFrom("0", "1", "01", "-1", "x")),
      tag: fc.oneof({ weight: 9, arbitrary: fc.constant(tag) }, { weight: 1, arbitrary: oddText }),
      payload:
        tag === "fetchMultiple" ? batchMembers(pages) : argumentsOf(parametersOf(pathOf(tag)), pages, (name) => name),
      headers: fc.constant([])
    })
  )
  const lines = fc.array(body(call), { minLength: 1, maxLength: 3 }).map((all) => `${all.join("\n")}\n`)
  return fc.tuple(methods, lines, headers).map(([method, text, given]) => ({
    method: method ?? "POST",
    path: "/rpc",
    headers: { "content-type": "application/ndjson", ...given },
    body: text
  }))
}

const rest = (pages: ReadonlyArray<string>): fc.Arbitrary<Sent> => {
  const batch = fc.tuple(methods, body(batchMembers(pages)), headers).map(([method, text, given]) => ({
    method: method ?? "POST",
    path: "/api/content/fetch-multiple",
    headers: { "content-type": "application/json", ...given },
    body: text
  }))
  const others = endpoints
    .filter(({ method }) => method === "GET")
    .map(({ parameters, path }) => {
      const own = path === "/api/content/fetch" ? parameters.filter(({ name }) => name !== "url") : parameters
      const url = path === "/api/content/fetch" ? urls(pages).map((text) => [["url", text] as const]) : fc.constant([])
      return fc.tuple(methods, url, pairs(own), headers).map(([method, first, more, given]) => ({
        method: method ?? "GET",
        path: `${path}${queryOf([...first, ...more])}`,
        headers: given,
        body: null
      }))
    })
  return fc.oneof({ weight: 2, arbitrary: batch }, ...others.map((arbitrary) => ({ weight: 2, arbitrary })))
}

const anywhere: fc.Arbitrary<Sent> = fc
  .tuple(methods, fc.array(oddText, { maxLength: 3 }), pairs([]), headers, fc.option(anyText))
  .map(([method, segments, more, given, text]) => ({
    method: method ?? "GET",
    path: `/${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/")}${queryOf(more)}`.slice(
      0,
      9_000
    ),
    headers: given,
    body: text
  }))

/** Requests to every endpoint and interface, most of them a little wrong; `pages` are URLs that can be fetched. */
export const requests = (pages: ReadonlyArray<string>): fc.Arbitrary<Sent> =>
  fc.oneof(
    { weight: 10, arbitrary: rest(pages) },
    { weight: 3, arbitrary: mcp(pages) },
    { weight: 3, arbitrary: rpc(pages) },
    { weight: 2, arbitrary: anywhere }
  )
