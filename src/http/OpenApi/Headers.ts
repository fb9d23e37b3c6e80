const integer = { type: "integer", minimum: 0 } as const
const text = { type: "string" } as const

/** Headers of responses, as `components.headers`. */
export const headers = {
  "X-Request-Id": {
    description:
      "The request's id, also in the log: the caller's own `X-Request-Id` where it matches " +
      "`^[A-Za-z0-9._-]{1,128}$`, else a fresh one.",
    schema: text,
    example: "b7c1f0a24e6d4f6f9d2e3a5c8b1d7e90"
  },
  "X-RateLimit-Limit": {
    description: "Requests that the client has per window, for this group of endpoints.",
    schema: integer,
    example: 30
  },
  "X-RateLimit-Remaining": { description: "Requests left in this window.", schema: integer, example: 29 },
  "X-RateLimit-Reset": {
    description: "When the window closes, in Unix seconds.",
    schema: integer,
    example: 1_795_165_875
  },
  RateLimit: {
    description:
      "The same as the IETF draft has it: group, requests left (`r`), seconds until the window closes (`t`).",
    schema: text,
    example: '"search";r=29;t=58'
  },
  "RateLimit-Policy": {
    description: "The budget as the IETF draft has it: group, requests (`q`) per window of so many seconds (`w`).",
    schema: text,
    example: '"search";q=30;w=60'
  },
  "Retry-After": { description: "Whole seconds after which to try again.", schema: integer, example: 42 }
} as const

/** Failed searches have it too, when it is known how soon an engine can be asked again. */
const hasRetryAfter = (operation: string, status: string): boolean =>
  status === "429" ||
  status === "503" ||
  (/^(?:search|unified)\./.test(operation) && (status === "502" || status === "504"))

/** References to the headers of a response with this status. */
export const headersOf = (operation: string, status: string) =>
  Object.fromEntries(
    Object.keys(headers)
      .filter((name) => name !== "Retry-After" || hasRetryAfter(operation, status))
      .map((name) => [name, { $ref: `#/components/headers/${name}` }])
  )
