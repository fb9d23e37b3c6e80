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

/** Answer of a successful call: the REST body, and its text for a model. */
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
  /** Whether a call has parts and reports each of them when it is done. */
  readonly reports: boolean
  readonly inputSchema: ReturnType<typeof inputSchema>
  readonly outputSchema: ReturnType<typeof outputSchema>
  readonly call: (backing: ToolServices, given: Values, report: Report) => Effect.Effect<ToolAnswer, AnyFailure>
}

interface Definition<A, I, B, BI extends Values> {
  readonly name: string
  readonly title: string
  /** When to use the tool, in one or two sentences: it costs tokens in every conversation. */
  readonly description: string
  readonly group: RateLimitGroup
  readonly reports?: boolean
  /** The endpoint's parameters. */
  readonly parameters: Schema.Schema<A, I>
  /** The endpoint's answer. */
  readonly answer: Schema.Schema<B, BI>
  readonly run: (backing: ToolServices, query: A, report: Report) => Effect.Effect<B, AnyFailure>
  readonly text: (answer: B, query: A, options: TextOptions) => string
  /** Returns the problems of a `backend`, which no Schema can check. */
  readonly backendProblems?: (backing: ToolServices, backend: string) => ReadonlyArray<FieldProblem>
}

/** Relabels problems as `body`: a tool call has no query string. */
const inArguments = (problems: ReadonlyArray<FieldProblem>) =>
  problems.map((problem) => ({ ...problem, in: "body" as const }))

/** Arguments of every tool besides the endpoint's. They bound the text for the model, which no endpoint has. */
const TextBounds = Schema.Struct({
  max_tokens: Schema.optionalWith(
    Parameter.integer({ ...tokenBounds, description: "Length of the text answer, about." }),
    { exact: true, default: () => tokenBounds.default }
  )
}).annotations({ parseOptions: { errors: "all" } })

const readBounds = argumentReader(TextBounds)

/** Combines the query and the bounds, or the problems of both. */
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

/** Defines a tool over the Schemas of one endpoint, which provide its arguments, their validation and its answer. */
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
