import { type JSONValue, type RequestId } from "@modelcontextprotocol/server"

/** JSON-RPC 2.0, section 5.1; the last is the first of those left to servers. */
export const errorCodes = { parse: -32_700, invalidRequest: -32_600, invalidParams: -32_602, refused: -32_000 } as const

interface Fault {
  readonly code: number
  readonly message: string
  readonly data?: JSONValue
  /** Null where there is no single request whose id could be told. */
  readonly id?: RequestId | null
}

export const faultOf = ({ code, data, id = null, message }: Fault) => ({
  jsonrpc: "2.0" as const,
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) }
})

/** The same as an HTTP response (MCP, "Transports"). */
export const faultResponse = (
  fault: Fault & { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
): Response => Response.json(faultOf(fault), { status: fault.status, headers: fault.headers ?? {} })
