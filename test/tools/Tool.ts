import { Effect } from "effect"
import { execFile } from "node:child_process"
import { wiring } from "../support/Quarry.ts"

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a tool of `tools/engines` as npm does, over the test web and behind its proxy, to its end. */
export const runTool = (
  name: "engines-check" | "engines-capture",
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {}
) =>
  Effect.flatMap(wiring, (wired) =>
    Effect.async<Ended>((resume) => {
      const child = execFile(
        process.execPath,
        ["test/support/bundled.mjs", `tools/engines/${name}.ts`, ...args],
        { env: { PATH: process.env["PATH"], ...wired, ...environment } },
        (_, stdout, stderr) => resume(Effect.succeed({ code: child.exitCode ?? -1, stdout, stderr }))
      )
      return Effect.sync(() => void child.kill("SIGKILL"))
    })
  )
