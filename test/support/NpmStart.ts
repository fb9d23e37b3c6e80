import { Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { EventEmitter, once } from "node:events"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join, resolve } from "node:path"
import { type Exit } from "./Server.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "quarry-npm-start-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** The folder that npm runs in: the repository, or one with another build of it, which `QUARRY_DIST` names. */
const packageFolder = Effect.gen(function* () {
  const dist = resolve(process.env["QUARRY_DIST"] ?? "dist")
  if (dist === resolve("dist")) return resolve(".")
  const folder = yield* temporaryFolder
  cpSync("package.json", join(folder, "package.json"))
  symlinkSync(dist, join(folder, "dist"))
  return folder
})

interface Stat {
  readonly pid: number
  readonly parent: number
  readonly state: string
  /** Tells a process from a later one of the same id. */
  readonly startTime: string
}

const statOf = (pid: string): ReadonlyArray<Stat> => {
  try {
    // The name, which stands in parentheses, may have spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
    return [{ pid: Number(pid), state: fields[0] ?? "", parent: Number(fields[1]), startTime: fields[19] ?? "" }]
  } catch {
    return []
  }
}

const descendantsOf = (pid: number): ReadonlyArray<Stat> => {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf)
  const below = (parent: number): ReadonlyArray<Stat> =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)])
  return below(pid)
}

const isRunning = ({ pid, startTime }: Stat): boolean =>
  statOf(String(pid)).some((now) => now.startTime === startTime && now.state !== "Z")

const spawned = (folder: string, home: string, environment: Readonly<Record<string, string>>) =>
  spawn("npm", ["start"], {
    cwd: folder,
    // A process group of its own, as a terminal gives it.
    detached: true,
    env: {
      PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
      HOME: home,
      npm_config_update_notifier: "false",
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_FORMAT: "json",
      ...environment
    },
    stdio: ["ignore", "ignore", "pipe"]
  })

const started = async (child: ChildProcess, events: EventEmitter, state: { stderr: string; exit: Exit | null }) => {
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    state.stderr += chunk
    events.emit("change")
  })
  child.once("exit", (code, signal) => {
    state.exit = { code, signal }
    events.emit("change")
  })
  for (;;) {
    const url = /http:\/\/[^\s"\\]+:\d+/.exec(state.stderr)?.[0]
    if (url !== undefined) return url
    if (state.exit !== null) throw new Error(`npm start ended before it listened:\n${state.stderr}`)
    await once(events, "change")
  }
}

export interface NpmStarted {
  readonly baseUrl: string
  /** Of npm, which leads a process group. */
  readonly pid: number
  /** What runs below npm now, the server last. */
  readonly descendants: ReadonlyArray<Stat>
  readonly exit: Effect.Effect<Exit>
  /** Those of the descendants that are still there. */
  readonly left: Effect.Effect<ReadonlyArray<Stat>>
}

/** `npm start` as a supervisor runs it; what it leaves behind is killed with the scope. */
export const npmStart = (
  environment: Readonly<Record<string, string>>
): Effect.Effect<NpmStarted, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* packageFolder
    const home = yield* temporaryFolder
    const events = new EventEmitter().setMaxListeners(0)
    const state: { stderr: string; exit: Exit | null } = { stderr: "", exit: null }
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawned(folder, home, environment)),
      ({ pid }) =>
        Effect.sync(() => {
          try {
            if (pid !== undefined) process.kill(-pid, "SIGKILL")
          } catch {
            // The whole group has ended.
          }
        })
    )
    const baseUrl = yield* Effect.promise(() => started(child, events, state))
    const pid = child.pid ?? 0
    const descendants = descendantsOf(pid)
    const exited = async () => {
      while (state.exit === null) await once(events, "change")
      return state.exit
    }
    return {
      baseUrl,
      pid,
      descendants,
      exit: Effect.promise(exited),
      left: Effect.sync(() => descendants.filter(isRunning))
    }
  })
