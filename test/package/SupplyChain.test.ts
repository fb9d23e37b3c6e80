import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

const read = <A, I>(file: string, schema: Schema.Schema<A, I>) =>
  Schema.decodeUnknownSync(Schema.parseJson(schema))(readFileSync(file, "utf8"))

const Versions = Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), {
  default: () => ({})
})

const Locked = Schema.Struct({
  version: Schema.optional(Schema.String),
  /** Left out where it is the registry that npm is set to. */
  resolved: Schema.optional(Schema.String),
  integrity: Schema.optional(Schema.String),
  link: Schema.optional(Schema.Boolean),
  hasInstallScript: Schema.optional(Schema.Boolean)
})

const Lockfile = Schema.Struct({
  lockfileVersion: Schema.Literal(3),
  packages: Schema.Record({ key: Schema.String, value: Locked })
})

const Package = Schema.Struct({
  dependencies: Versions,
  devDependencies: Versions,
  peerDependencies: Versions,
  optionalDependencies: Versions,
  overrides: Versions
})

const registry = "https://registry.npmjs.org/"

/**
 * Packages that would like to run something when they are installed. Nobody lets them: npm is always told
 * `--ignore-scripts`, and each does without.
 */
const eager = [
  "@parcel/watcher", // of @effect/platform-node, to watch files, which nothing here does; it is built already
  "@scarf/scarf", // counts installations
  "core-js", // asks for money
  "esbuild", // puts its program, which is a package of its own, in the place of a slower start of it
  "msgpackr-extract" // optional, never loaded: see build.mjs
]

/** Each folder with a lockfile, and the packages of it that have an install script. */
const folders = [
  [".", eager],
  ["bench", []],
  ["tools/openapi", []]
] as const

it("every folder with a package.json of its own has its lockfile looked at", () => {
  const own = ["bench", "examples", "src", "test", "tools"].flatMap((name) =>
    readdirSync(name, { recursive: true, encoding: "utf8" })
      .map((path) => join(name, path))
      .filter((path) => !path.includes("node_modules") && basename(path) === "package.json")
      .map(dirname)
  )
  expect([".", ...own].toSorted()).toEqual(folders.map(([folder]) => folder))
})

describe.each(folders)("dependencies of %s", (root, withScript) => {
  const { packages } = read(join(root, "package-lock.json"), Lockfile)
  const locked = Object.entries(packages).filter(([path]) => path !== "")

  it("are held to their bytes, each of them", () => {
    expect(locked.length).toBeGreaterThan(0)
    for (const [path, { integrity, link }] of locked) {
      expect(integrity, path).toMatch(/^sha512-[\w+/]{86}==$/)
      expect(link, path).toBeUndefined()
    }
  })

  it("come from npm's registry, and nowhere else", () => {
    const elsewhere = locked.filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith(registry))
    expect(elsewhere).toEqual([])
    // It could name another registry, or have scripts run.
    expect(existsSync(join(root, ".npmrc"))).toBe(false)
    for (const versions of Object.values(read(join(root, "package.json"), Package))) {
      for (const [name, range] of Object.entries(versions)) expect(range, name).toMatch(/^[~^]?\d+(?:\.\d+){0,2}$/)
    }
  })

  it("that have an install script are known, and need none", () => {
    const names = locked.flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript === true ? [path.replace(/^.*node_modules\//, "")] : []
    )
    expect(names.toSorted()).toEqual(withScript)
  })
})

const folder = ".github/workflows"
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }))

/** The jobs of a workflow, each as it is written. */
const jobsOf = (text: string): ReadonlyArray<string> => {
  const [, jobs = ""] = text.split(/^jobs:\n/m)
  return jobs.split(/^(?= {2}[\w-]+:$)/m).filter((job) => job.trim() !== "")
}

/** Commands, one a line; a `run` of several lines counts as its lines. */
const commandsOf = (text: string) =>
  text.split("\n").flatMap((line) => /^\s*(?:- )?(?:run: )?([\w./].*)$/.exec(line)?.[1] ?? [])

describe.each(workflows)("the workflow $name", ({ text }) => {
  it("uses actions by commit, and none keeps the token", () => {
    const used = Array.from(text.matchAll(/\buses:\s*(.*)/g), ([, action = ""]) => action)
    expect(used.length).toBeGreaterThan(0)
    for (const action of used) expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+(?:\.\d+)*$/)
    const checkouts = text.split(/\buses: actions\/checkout@/).slice(1)
    for (const after of checkouts) expect(after.split(/^ {6}- /m)[0]).toContain("persist-credentials: false")
  })

  it("has no permission but what a job names, and writes nothing unless it publishes", () => {
    expect(text).toMatch(/^permissions: (?:\{\}|\n {2}contents: read)$/m)
    expect(text).not.toMatch(/write-all|pull_request_target/)
    for (const job of jobsOf(text)) {
      expect(job).toMatch(/^ {4}permissions:/m)
      if (!/\bnpm publish\b/.test(job)) expect(job).not.toMatch(/:\s*write\b/)
    }
  })
})

const ci = { name: ".ci/run", text: readFileSync(".ci/run", "utf8") }

it.each([...workflows, ci])("$name runs no install script of a dependency", ({ text }) => {
  for (const command of commandsOf(text)) {
    if (/\bnpm (?:ci|i|install|add|publish)\b/.test(command)) expect(command).toContain("--ignore-scripts")
  }
})

it("a release is checked first, and published with its provenance and what it is made of", () => {
  const publishing = workflows.flatMap(({ text }) => jobsOf(text)).filter((job) => /\bnpm publish\b/.test(job))
  expect(publishing).toHaveLength(1)
  const [job = ""] = publishing
  for (const line of job.matchAll(/\bnpm publish\b.*/g)) expect(line[0]).toContain(" --provenance ")
  expect(job).toMatch(/^ {4}needs: check$/m)
  expect(job).toMatch(/^ {4}environment: release$/m)
  // Without a token of npm's: there is none to steal.
  expect(job).toMatch(/^ {6}id-token: write\b/m)
  expect(job).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/)
  expect(job).toContain("actions/attest-build-provenance@")
  expect(job).toMatch(/npm sbom .*> (sbom\S+)[^]*gh release create .*\1/)
})
