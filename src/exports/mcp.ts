/** `quarry/mcp`: the tools for models, as a mounted app of the HTTP interface or over stdio. */
export { mcpApp } from "../mcp/McpApp.ts"
export { stdioServer } from "../mcp/Stdio.ts"
