import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client"
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Data, Effect, Predicate, type Scope } from "effect"
import { join } from "node:path"
import { dist } from "./build.ts"
import { newClient } from "./Client.ts"
import { wiring } from "./Quarry.ts"
import { type Environment, Server } from "./Server.ts"

/** What the official clients of both lines have in common, as tests need it. */
export interface McpClient {
  readonly listTools: Effect.Effect<ReadonlyArray<McpTool>>
  /** Cancelled, as the protocol does it, where the fiber is interrupted. */
  readonly callTool: (name: string, args: Readonly<Record<string, unknown>>) => Effect.Effect<McpResult>
  /** The same, with what was heard of its progress before it was answered. */
  readonly callToTheEnd: (name: string, args: Readonly<Record<string, unknown>>) => Effect.Effect<McpProgress>
  readonly listPrompts: Effect.Effect<ReadonlyArray<McpPrompt>>
  /** The text of its one message. */
  readonly getPrompt: (name: string, args: Readonly<Record<string, string>>) => Effect.Effect<string, McpFault>
  readonly listTemplates: Effect.Effect<ReadonlyArray<{ readonly uriTemplate: string }>>
  readonly listResources: Effect.Effect<ReadonlyArray<{ readonly uri: string; readonly mimeType?: string | undefined }>>
  /** The texts of a resource. */
  readonly readResource: (uri: string) => Effect.Effect<ReadonlyArray<string>, McpFault>
  readonly server: Effect.Effect<string | undefined>
}

/** A JSON-RPC error, as the clients tell it. */
export class McpFault extends Data.TaggedError("McpFault")<{ readonly code: unknown; readonly data: unknown }> {}

const faultOf = (error: unknown) =>
  new McpFault({
    code: Predicate.hasProperty(error, "code") ? error.code : undefined,
    data: Predicate.hasProperty(error, "data") ? error.data : undefined
  })

const textsOf = (contents: ReadonlyArray<object>) =>
  contents.map((content) => (Predicate.hasProperty(content, "text") ? String(content.text) : ""))

export interface McpTool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: object
  readonly outputSchema?: object | undefined
  readonly annotations?: object | undefined
}

export interface McpPrompt {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly arguments?: ReadonlyArray<object> | undefined
}

interface Heard {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export interface McpProgress {
  readonly result: McpResult
  readonly heard: ReadonlyArray<Heard>
}

const messageOf = ({ messages }: { readonly messages: ReadonlyArray<{ readonly content: object }> }) =>
  textsOf(messages.map(({ content }) => content)).join("\n")

export interface McpResult {
  /** Of its first text block. */
  readonly text: string
  /** Of its second: what to do about a failure. */
  readonly advice: string
  readonly structured: unknown
  readonly isError: boolean
}

const resultOf = ({ content, isError, structuredContent }: Readonly<Record<string, unknown>>): McpResult => {
  const blocks: ReadonlyArray<unknown> = Array.isArray(content) ? content : []
  const texts = blocks.map((block) =>
    typeof block === "object" && block !== null && "text" in block ? String(block.text) : ""
  )
  return {
    text: texts[0] ?? "",
    advice: texts.slice(1).join("\n"),
    structured: structuredContent,
    isError: isError === true
  }
}

const identity = { name: "quarry-test", version: "1.0.0" }

/** Which line of the SDK, and which revision it speaks: the newer one can do both eras. */
export const eras = ["2.x, 2026-07-28", "1.x", "2.x, 2025-11-25"] as const
export type Era = (typeof eras)[number]

const old = (transport: OldHttp | OldStdio) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new OldClient(identity)
        // Its own types disagree on optional members under exactOptionalPropertyTypes.
        await Reflect.apply(client.connect, client, [transport])
        return client
      }),
      (client) => Effect.promise(() => client.close())
    ),
    (client): McpClient => ({
      listTools: Effect.promise(async () => (await client.listTools()).tools),
      callTool: (name, args) =>
        Effect.promise(async (signal) =>
          resultOf(await client.callTool({ name, arguments: { ...args } }, undefined, { signal }))
        ),
      callToTheEnd: (name, args) =>
        Effect.promise(async () => {
          const heard: Array<Heard> = []
          const onprogress = (one: Heard) => void heard.push(one)
          const answer = await client.callTool({ name, arguments: { ...args } }, undefined, { onprogress })
          return { result: resultOf(answer), heard }
        }),
      listPrompts: Effect.promise(async () => (await client.listPrompts()).prompts),
      getPrompt: (name, args) =>
        Effect.tryPromise({
          try: async () => messageOf(await client.getPrompt({ name, arguments: { ...args } })),
          catch: faultOf
        }),
      listTemplates: Effect.promise(async () => (await client.listResourceTemplates()).resourceTemplates),
      listResources: Effect.promise(async () => (await client.listResources()).resources),
      readResource: (uri) =>
        Effect.tryPromise({ try: async () => textsOf((await client.readResource({ uri })).contents), catch: faultOf }),
      server: Effect.sync(() => client.getServerVersion()?.name)
    })
  )

const modern = (transport: ModernHttp | ModernStdio, era: Era) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const mode = era === "2.x, 2026-07-28" ? { pin: "2026-07-28" } : ("legacy" as const)
        const client = new ModernClient(identity, { versionNegotiation: { mode } })
        await client.connect(transport)
        return client
      }),
      (client) => Effect.promise(() => client.close())
    ),
    (client): McpClient => ({
      listTools: Effect.promise(async () => (await client.listTools()).tools),
      callTool: (name, args) =>
        Effect.promise(async (signal) => resultOf(await client.callTool({ name, arguments: { ...args } }, { signal }))),
      callToTheEnd: (name, args) =>
        Effect.promise(async () => {
          const heard: Array<Heard> = []
          const onprogress = (one: Heard) => void heard.push(one)
          const answer = await client.callTool({ name, arguments: { ...args } }, { onprogress })
          return { result: resultOf(answer), heard }
        }),
      listPrompts: Effect.promise(async () => (await client.listPrompts()).prompts),
      getPrompt: (name, args) =>
        Effect.tryPromise({
          try: async () => messageOf(await client.getPrompt({ name, arguments: { ...args } })),
          catch: faultOf
        }),
      listTemplates: Effect.promise(async () => (await client.listResourceTemplates()).resourceTemplates),
      listResources: Effect.promise(async () => (await client.listResources()).resources),
      readResource: (uri) =>
        Effect.tryPromise({ try: async () => textsOf((await client.readResource({ uri })).contents), catch: faultOf }),
      server: Effect.sync(() => client.getServerVersion()?.name)
    })
  )

/** A client of the server's door, closed with the scope. */
export const overHttp = (era: Era, from = newClient()): Effect.Effect<McpClient, never, Server | Scope.Scope> =>
  Effect.flatMap(Server, ({ baseUrl }) => {
    const url = new URL("/ai/mcp", baseUrl)
    const options = { requestInit: { headers: { "X-Forwarded-For": from } } }
    return era === "1.x" ? old(new OldHttp(url, options)) : modern(new ModernHttp(url, options), era)
  })

/** The stdio server as a process of the client's, ended with the scope. */
export const overStdio = (era: Era, environment: Environment = {}) =>
  Effect.flatMap(wiring, (wired) => {
    const server = {
      command: process.execPath,
      args: [join(dist, "quarry-mcp.js")],
      env: { ...wired, ...environment },
      stderr: "ignore" as const
    }
    return era === "1.x" ? old(new OldStdio(server)) : modern(new ModernStdio(server), era)
  })
