import { Effect, Schema } from "effect"
import { type AnyFailure } from "../domain/Envelope.ts"
import { type FieldProblem, InvalidParameters, type RateLimitGroup } from "../domain/Failure.ts"
import { argumentReader, type Values } from "./Arguments.ts"
import { inputSchema } from "./InputSchema.ts"
import { outputSchema } from "./OutputSchema.ts"

/** What a call that went well answers: the REST body, and the same for a model to read. */
export interface ToolAnswer {
  readonly body: Values
  readonly text: string
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The budget that a call spends. */
  readonly group: RateLimitGroup
  readonly inputSchema: ReturnType<typeof inputSchema>
  readonly outputSchema: ReturnType<typeof outputSchema>
  readonly call: (given: Values) => Effect.Effect<ToolAnswer, AnyFailure>
}

interface Definition<A, I, B, BI extends Values> {
  readonly name: string
  readonly title: string
  /** When to use it, in a sentence or two: it is paid for in every conversation. */
  readonly description: string
  readonly group: RateLimitGroup
  /** The endpoint's parameters. */
  readonly parameters: Schema.Schema<A, I>
  /** The endpoint's answer. */
  readonly answer: Schema.Schema<B, BI>
  readonly run: (query: A) => Effect.Effect<B, AnyFailure>
  readonly text: (answer: B, query: A) => string
  /** What is wrong with a `backend`, which no Schema knows. */
  readonly backendProblems?: (backend: string) => ReadonlyArray<FieldProblem>
}

/** In the arguments of a call, whatever they are called in a URL. */
const inArguments = (problems: ReadonlyArray<FieldProblem>) =>
  problems.map((problem) => ({ ...problem, in: "body" as const }))

/** A tool over one endpoint's Schemas: its arguments, their checks and its answer are the endpoint's. */
export const define = <A, I, B, BI extends Values>(definition: Definition<A, I, B, BI>): Tool => {
  const { answer, backendProblems, description, group, name, parameters, run, text, title } = definition
  const read = argumentReader(parameters, (backend) => inArguments(backendProblems?.(backend) ?? []))
  const encode = Schema.encode(answer)

  return {
    name,
    title,
    description,
    group,
    inputSchema: inputSchema(parameters),
    outputSchema: outputSchema(answer),
    call: Effect.fn(`Tool.${name}`)(function* (given: Values) {
      const query = yield* read(given)
      const found = yield* Effect.mapError(run(query), (failure) =>
        failure._tag === "InvalidParameters"
          ? new InvalidParameters({ problems: inArguments(failure.problems) })
          : failure
      )
      return { body: yield* Effect.orDie(encode(found)), text: text(found, query) }
    })
  }
}
