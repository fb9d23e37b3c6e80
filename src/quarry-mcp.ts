#!/usr/bin/env node
import module from "node:module"

// Node 22.8 and newer can cache compiled code, which halves the time of the next start.
const keepCompiled: unknown = Reflect.get(module, "enableCompileCache")
if (typeof keepCompiled === "function") Reflect.apply(keepCompiled, module, [])

const [{ launch }, { localStdioServer }] = await Promise.all([import("./launch.ts"), import("./local.ts")])
launch(localStdioServer)
