import { Effect, type Scope } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { dist } from "../support/build.ts"

const execute = promisify(execFile)

/** Runs a program to its end and gives its stdout; dies with all it said when it fails. */
export const run = (folder: string, file: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(async (signal) => {
    const { stdout } = await execute(file, args, { cwd: folder, signal, maxBuffer: 64 * 1024 * 1024 }).catch(
      (error) => {
        throw new Error(`${file} ${args.join(" ")}\n${error.stdout ?? ""}\n${error.stderr ?? error}`)
      }
    )
    return stdout
  })

/** Runs a program of the project as long as the scope lasts, and gives the first line it writes. */
export const started = (
  folder: string,
  script: string,
  env: Readonly<Record<string, string>>
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [script], {
        cwd: folder,
        env: { PATH: process.env["PATH"], ...env },
        stdio: ["ignore", "pipe", "inherit"]
      })
    ),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill("SIGTERM")
        await once(child, "exit")
      })
  ).pipe(
    Effect.flatMap((child) =>
      Effect.promise(async () => {
        for await (const line of createInterface(child.stdout)) return line
        throw new Error(`${script} ended without a word`)
      })
    )
  )

const tsconfig = (moduleResolution: string) => ({
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2023", "DOM"],
    module: moduleResolution === "NodeNext" ? "NodeNext" : "ESNext",
    moduleResolution,
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    rootDir: ".",
    outDir: "out"
  },
  include: ["*.ts"]
})

/** An empty project with the package installed from its tarball, and the examples compiled in it. */
export const makeProject = Effect.gen(function* () {
  const repository = resolve(".")
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "quarry-package-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const source = join(folder, "source")
  cpSync(dist, join(source, "dist"), { recursive: true, filter: (path) => path !== join(dist, "package.json") })
  for (const name of ["package.json", "README.md", "LICENSE", "CHANGELOG.md"]) cpSync(name, join(source, name))
  yield* run(repository, process.execPath, "build.library.mjs", join(source, "dist"))
  const packed = yield* run(source, "npm", "pack", "--ignore-scripts", "--json", "--pack-destination", folder)
  const [tarball] = JSON.parse(packed)
  const files: ReadonlyArray<{ readonly path: string }> = tarball.files
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }))
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig("NodeNext")))
  writeFileSync(join(folder, "tsconfig.bundler.json"), JSON.stringify(tsconfig("Bundler")))
  cpSync("examples", folder, { recursive: true })
  cpSync("test/package/probe", folder, { recursive: true })
  yield* run(
    folder,
    "npm",
    ...["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"],
    ...[`./${tarball.filename}`, "@types/node@20"]
  )
  const tsc = join(repository, "node_modules/typescript/bin/tsc")
  const compile = (...options: ReadonlyArray<string>) => run(folder, process.execPath, tsc, ...options)
  yield* compile()
  return { folder, files: files.map(({ path }) => path), compile }
})
