import { rateLimits, windowSeconds } from "../../domain/RateLimits.ts"

const groups = [
  ["search", "`/api/search/text`, `/images`, `/videos`, `/news`, `/books` together"],
  ["unified", "`/api/search/all`"],
  ["content", "`/api/content/fetch`, `/api/content/fetch-multiple` (a batch counts once)"],
  ["info", "everything else"]
] as const

const budgets = groups.map(
  ([group, paths]) => `| \`${group}\` | ${paths} | ${rateLimits.production[group]} | ${rateLimits.development[group]} |`
)

/** Default origin of a server. The documentation pages replace it with their own origin (`Pages/*.js`). */
const exampleOrigin = "http://localhost:8000"

/** Description of the API for new users, in Markdown. Covers what belongs to no single operation. */
export const introduction = `Quarry searches the web over many engines without API keys, and turns any URL into its clean main text.

## First call

\`\`\`sh
curl '${exampleOrigin}/api/search/text?q=effect+typescript&max_results=5'
curl '${exampleOrigin}/api/content/fetch?url=https://example.com/&format=markdown'
\`\`\`

No key and no registration, unless the server's owner wants one: then everything but the pages, \`/\`, \`/health\`,
\`/ready\` and this document asks for \`Authorization: Bearer <key>\`. \`GET /\` lists the endpoints. The API can be
tried out at [/docs](/docs) and read at [/redoc](/redoc); this document is [/openapi.json](/openapi.json).

## Answers

A search answers \`{ success: true, query, results_count, results, ... }\`. Nothing found is a success with
\`results_count: 0\`; \`sources\` says what each engine did, which tells "nothing exists" from "nobody answered". Members
that a source does not give are \`null\`.

Every failure answers \`{ success: false, error, details }\`; \`error\` is a fixed text for each kind of failure, and
\`details\` is \`null\` when there is nothing to add. What any path can answer besides the statuses of its operation:

| status | \`error\` | when | \`details\` |
|---|---|---|---|
| 404 | \`Not found\` | no such path; paths are matched to the letter | \`null\` |
| 405 | \`Method not allowed\` | the path has no such method; \`Allow\` names those it has | \`{ allowed }\` |
| 400 | \`Bad request\` | no proper HTTP | \`null\` |
| 408 | \`Request timeout\` | the request took too long to arrive | \`null\` |
| 431 | \`Headers too large\` | request headers over 16 KiB | \`null\` |

HEAD works wherever GET does. Enum values are matched whatever their letter case, unknown query parameters are ignored,
and a parameter given twice is a 422.

## Rate limits

Each client (IPv4 address or IPv6 /64; where keys are set, each key) has a budget per group of endpoints and window of ${windowSeconds} seconds:

| group | endpoints | production | development |
|---|---|---|---|
${budgets.join("\n")}

Every response says what is left (\`X-RateLimit-*\`, and \`RateLimit\` of the IETF draft). Over budget is a 429 with
\`Retry-After\`. A search that fails has one where it is known when an engine may be asked again.`
