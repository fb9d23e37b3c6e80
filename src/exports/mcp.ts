/** `quarry/mcp`: the tools for models, as a door of the HTTP interface or over stdio. */
export { mcpDoor } from "../mcp/Door.ts"
export { stdioServer } from "../mcp/Stdio.ts"
