import { type JSONValue, type RequestId } from "@modelcontextprotocol/server"

/** Error codes of JSON-RPC 2.0, section 5.1. `refused` is the first code of the range for server errors. */
export const errorCodes = { parse: -32_700, invalidRequest: -32_600, invalidParams: -32_602, refused: -32_000 } as const

interface Fault {
  readonly code: number
  readonly message: string
  readonly data?: JSONValue
  /** Null when there is no single request, or its id is unknown. */
  readonly id?: RequestId | null
}

export const faultOf = ({ code, data, id = null, message }: Fault) => ({
  jsonrpc: "2.0" as const,
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) }
})

/** Builds the HTTP response of a fault (MCP, "Transports"). */
export const faultResponse = (
  fault: Fault & { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
): Response => Response.json(faultOf(fault), { status: fault.status, headers: fault.headers ?? {} })
