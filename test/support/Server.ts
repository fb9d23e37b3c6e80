import { Context, Data, Effect, Layer, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { EventEmitter, once } from "node:events"
import { join } from "node:path"
import { dist } from "./build.ts"

export type Environment = Readonly<Record<string, string>>

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServerShape {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly port: number
  /** Of its process. */
  readonly pid: number
  readonly stderr: Effect.Effect<string>
  readonly stdout: Effect.Effect<string>
  readonly signal: (name: NodeJS.Signals) => Effect.Effect<void>
  readonly exit: Effect.Effect<Exit>
  /** Sends the signal and waits for the end. */
  readonly stop: (name: NodeJS.Signals) => Effect.Effect<Exit>
}

export class NotServing extends Data.TaggedError("NotServing")<{ readonly exit: Exit; readonly stderr: string }> {
  override get message() {
    return `The service ended (code ${this.exit.code}, signal ${this.exit.signal}) before it listened:\n${this.stderr}`
  }
}

interface Process {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  /** Emits `output`, and `exit` once. */
  readonly events: EventEmitter
  readonly state: { exit: Exit | null }
}

/** The bundle, or another build of it that a developer names. */
export const main = process.env["QUARRY_MAIN"] ?? join(dist, "main.js")

/** Nothing of the developer's own environment reaches the service. */
const launch = (
  environment: Environment,
  file = main,
  node = process.execPath
): Effect.Effect<Process, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(node, [file], {
        env: { PATH: process.env["PATH"], HOST: "127.0.0.1", PORT: "0", LOG_FORMAT: "json", ...environment },
        stdio: ["ignore", "pipe", "pipe"]
      })
      const started: Process = {
        child,
        output: { stdout: "", stderr: "" },
        events: new EventEmitter().setMaxListeners(0),
        state: { exit: null }
      }
      const gather = (name: "stdout" | "stderr") =>
        child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
          started.output[name] += chunk
          started.events.emit("output")
        })
      gather("stdout")
      gather("stderr")
      child.once("close", (code, signal) => {
        started.state.exit = { code, signal }
        started.events.emit("output")
        started.events.emit("exit")
      })
      return started
    }),
    (started) =>
      Effect.promise(async () => {
        if (started.state.exit !== null) return
        started.child.kill("SIGKILL")
        await once(started.events, "exit")
      })
  )

const exitOf = async ({ events, state }: Process): Promise<Exit> => {
  while (state.exit === null) await once(events, "exit")
  return state.exit
}

/** Where it says on stderr that it listens; null when it ended before. */
const addressOf = async (started: Process): Promise<URL | null> => {
  for (;;) {
    const url = /http:\/\/[^\s"\\]+:\d+/.exec(started.output.stderr)?.[0]
    if (url !== undefined) return new URL(url.replace("//0.0.0.0:", "//127.0.0.1:"))
    if (started.state.exit !== null) return null
    await once(started.events, "output")
  }
}

/** The built service as a process of its own on a free port, run by the Node at `node`; killed with the scope. */
export const start = (
  environment: Environment,
  file = main,
  node = process.execPath
): Effect.Effect<ServerShape, NotServing, Scope.Scope> =>
  Effect.gen(function* () {
    const started = yield* launch(environment, file, node)
    const url = yield* Effect.promise(() => addressOf(started))
    const exit = Effect.promise(() => exitOf(started))
    if (url === null) return yield* new NotServing({ exit: yield* exit, stderr: started.output.stderr })
    const signal = (name: NodeJS.Signals) => Effect.sync(() => void started.child.kill(name))
    yield* Effect.tryPromise(() => fetch(`${url.origin}/health`)).pipe(
      Effect.filterOrFail((response) => response.ok),
      Effect.orDie
    )
    return {
      baseUrl: url.origin,
      port: Number(url.port),
      pid: started.child.pid ?? 0,
      stderr: Effect.sync(() => started.output.stderr),
      stdout: Effect.sync(() => started.output.stdout),
      signal,
      exit,
      stop: (name) => Effect.zipRight(signal(name), exit)
    }
  })

/** Runs the built service to its end: for starts that must fail. */
export const runToEnd = (environment: Environment) =>
  Effect.gen(function* () {
    const started = yield* launch(environment)
    const exit = yield* Effect.promise(() => exitOf(started))
    return { ...exit, ...started.output }
  }).pipe(Effect.scoped)

export class Server extends Context.Tag("quarry/test/Server")<Server, ServerShape>() {
  static readonly layer = (environment: Environment) => Layer.scoped(Server, start(environment))
}
