import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { defineConfig } from "vitest/config"

/** Every run builds what it starts into a folder of its own: no test meets a stale build. */
const folder = join(tmpdir(), `quarry-test-${process.pid}`)
// Global setups run in this process, tests in others.
process.env["QUARRY_DIST"] = folder

/** A project runs the files whose names end in `suffix`; the projects run one after the other, in this order. */
const project = (name: string, groupOrder: number, test: object) => ({
  test: {
    name,
    include: [`test/**/*.${name}.test.ts`],
    env: { QUARRY_DIST: folder, QUARRY_SLOW: name === "slow" ? "1" : "0" },
    setupFiles: ["test/support/testMethods.ts", "test/support/yieldToRunner.ts"],
    sequence: { groupOrder },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    ...test
  }
})

export default defineConfig({
  test: {
    // Files share a worker and what it has loaded: no module holds state.
    poolOptions: { threads: { isolate: false }, forks: { isolate: false } },
    // Servers, clients and browsers wait for each other for much of the time.
    maxWorkers: Math.max(2, availableParallelism()),
    minWorkers: 1,
    projects: [
      project("unit", 0, {
        include: ["test/**/*.test.ts"],
        exclude: ["test/**/*.{net,e2e,slow}.test.ts"],
        setupFiles: ["test/support/noSockets.ts", "test/support/testMethods.ts", "test/support/yieldToRunner.ts"],
        pool: "threads"
      }),
      project("net", 1, {
        globalSetup: ["test/support/buildWorker.ts"]
      }),
      project("e2e", 2, {
        globalSetup: ["test/support/buildAll.ts"]
      }),
      project("slow", 3, {
        globalSetup: ["test/support/buildAll.ts"],
        testTimeout: 300_000,
        hookTimeout: 60_000
      })
    ]
  }
})
