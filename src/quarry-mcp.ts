#!/usr/bin/env node
import { launch } from "./launch.ts"
import { stdioServer } from "./mcp/Stdio.ts"

launch(stdioServer)
