/** `quarry/mcp`: the tools for models, as a door of the HTTP interface or over stdio. */
export { mcpApp as mcpDoor } from "../mcp/McpApp.ts"
export { stdioServer } from "../mcp/Stdio.ts"
