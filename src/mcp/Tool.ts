import { Effect, Either, Schema } from "effect"
import { type AnyFailure } from "../domain/Envelope.ts"
import { type FieldProblem, InvalidParameters, type RateLimitGroup } from "../domain/Failure.ts"
import * as Parameter from "../domain/Parameter.ts"
import { argumentReader, type Values } from "./Arguments.ts"
import { type ToolServices } from "./ToolServices.ts"
import { inputSchema } from "./InputSchema.ts"
import { outputSchema } from "./OutputSchema.ts"
import { type Report } from "./Progress.ts"
import { freshQuote } from "./Quote.ts"
import { tokenBounds } from "./TokenBudget.ts"
import { type TextOptions } from "./TextOptions.ts"

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
  /** Whether a call has parts, and tells of each as it is done. */
  readonly reports: boolean
  readonly inputSchema: ReturnType<typeof inputSchema>
  readonly outputSchema: ReturnType<typeof outputSchema>
  readonly call: (backing: ToolServices, given: Values, report: Report) => Effect.Effect<ToolAnswer, AnyFailure>
}

interface Definition<A, I, B, BI extends Values> {
  readonly name: string
  readonly title: string
  /** When to use it, in a sentence or two: it is paid for in every conversation. */
  readonly description: string
  readonly group: RateLimitGroup
  readonly reports?: boolean
  /** The endpoint's parameters. */
  readonly parameters: Schema.Schema<A, I>
  /** The endpoint's answer. */
  readonly answer: Schema.Schema<B, BI>
  readonly run: (backing: ToolServices, query: A, report: Report) => Effect.Effect<B, AnyFailure>
  readonly text: (answer: B, query: A, options: TextOptions) => string
  /** What is wrong with a `backend`, which no Schema knows. */
  readonly backendProblems?: (backing: ToolServices, backend: string) => ReadonlyArray<FieldProblem>
}

/** In the arguments of a call, whatever they are called in a URL. */
const inArguments = (problems: ReadonlyArray<FieldProblem>) =>
  problems.map((problem) => ({ ...problem, in: "body" as const }))

/** What every tool takes besides: it is about the text for the model, which no endpoint has. */
const TextBounds = Schema.Struct({
  max_tokens: Schema.optionalWith(
    Parameter.integer({ ...tokenBounds, description: "Length of the text answer, about." }),
    { exact: true, default: () => tokenBounds.default }
  )
}).annotations({ parseOptions: { errors: "all" } })

const readBounds = argumentReader(TextBounds)

/** Both, or every wrong argument of either. */
const readAll = <A, B>(
  query: Either.Either<A, InvalidParameters>,
  bounds: Either.Either<B, InvalidParameters>
): Either.Either<B & { readonly query: A }, InvalidParameters> => {
  if (Either.isRight(query)) return Either.map(bounds, (some) => ({ ...some, query: query.right }))
  const { problems } = query.left
  const isWhole = problems.some(({ field }) => field === "")
  return Either.left(
    Either.isRight(bounds) || isWhole
      ? query.left
      : new InvalidParameters({ problems: [...problems, ...bounds.left.problems] })
  )
}

/** A tool over one endpoint's Schemas: its arguments, their checks and its answer are the endpoint's. */
export const define = <A, I, B, BI extends Values>(definition: Definition<A, I, B, BI>): Tool => {
  const {
    answer,
    backendProblems,
    description,
    group,
    name,
    parameters,
    reports = false,
    run,
    text,
    title
  } = definition
  const read = argumentReader(parameters)
  const encode = Schema.encode(answer)
  const own = inputSchema(parameters)

  return {
    name,
    title,
    description,
    group,
    reports,
    inputSchema: { ...own, properties: { ...own.properties, ...inputSchema(TextBounds).properties } },
    outputSchema: outputSchema(answer),
    call: Effect.fn(`Tool.${name}`)(function* (backing: ToolServices, given: Values, report: Report) {
      const problemsOf = (backend: string) => inArguments(backendProblems?.(backing, backend) ?? [])
      const { max_tokens, query } = yield* readAll(read(given, problemsOf), readBounds(given))
      const found = yield* Effect.mapError(run(backing, query, report), (failure) =>
        failure._tag === "InvalidParameters"
          ? new InvalidParameters({ problems: inArguments(failure.problems) })
          : failure
      )
      const options = { maxTokens: max_tokens, quote: yield* freshQuote }
      return { body: yield* Effect.orDie(encode(found)), text: text(found, query, options) }
    })
  }
}
