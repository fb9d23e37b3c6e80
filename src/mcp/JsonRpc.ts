import { type JSONValue } from "@modelcontextprotocol/server"

/** JSON-RPC 2.0, section 5.1; the last is the first of those left to servers. */
export const errorCodes = { parse: -32_700, invalidRequest: -32_600, refused: -32_000 } as const

interface Fault {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: JSONValue
  readonly headers?: Readonly<Record<string, string>>
}

/** A fault found before there is a single request whose id could be told. */
export const faultOf = ({ code, data, message }: Pick<Fault, "code" | "message" | "data">) => ({
  jsonrpc: "2.0" as const,
  id: null,
  error: { code, message, ...(data === undefined ? {} : { data }) }
})

/** The same as an HTTP response (MCP, "Transports"). */
export const faultResponse = (fault: Fault): Response =>
  Response.json(faultOf(fault), { status: fault.status, headers: fault.headers ?? {} })
