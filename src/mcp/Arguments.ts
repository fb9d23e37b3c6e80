import { Either, ParseResult, Predicate, Schema, SchemaAST } from "effect"
import { type Field, fieldsOf } from "../domain/Fields.ts"
import { type FieldProblem, InvalidParameters } from "../domain/Failure.ts"
import { ruleOf } from "../domain/Parameter.ts"
import { windowProblem } from "../domain/Query.ts"
import { argumentOf } from "./InputSchema.ts"

/** Named values: the arguments of a call, the members of an answer. */
export type Values = Readonly<Record<string, unknown>>

/**
 * Placeholder for arguments that are not an object. The SDK refuses those as a protocol error, but a model must be able
 * to read what is wrong, as with every invalid argument.
 */
export const notAnObject: Values = { "": null }

const isNoObject = (given: Values): boolean => Object.keys(given).length === 1 && "" in given

const parsed = Schema.decodeUnknownOption(Schema.parseJson())

/** Parses a list sent as one string: JSON, or URLs separated by commas, white space or both. */
const listOf = (text: string): unknown => {
  const json = text.trim().startsWith("[") ? parsed(text) : null
  if (json?._tag === "Some") return json.value
  return text
    .split(/[\s,]+(?=https?:)/i)
    .map((item) => item.trim())
    .filter((item) => item !== "")
}

/** Converts a value as models send it to the form that the Schema of the REST parameter decodes. */
const normalised = (value: unknown, ast: SchemaAST.AST): unknown => {
  switch (SchemaAST.encodedAST(ast)._tag) {
    case "StringKeyword":
      if (Predicate.isNumber(value)) return String(value)
      if (Array.isArray(value) && value.every(Predicate.isString)) return value.join(",")
      return Predicate.isString(value) && ruleOf(ast)?.allowed !== undefined ? value.trim() : value
    case "NumberKeyword":
      return Predicate.isString(value) && /^ *-?\d{1,15} *$/.test(value) ? Number(value) : value
    case "TupleType":
      return Predicate.isString(value) ? listOf(value) : value
    default:
      return value
  }
}

const isAbsent = (value: unknown, { required }: Field): boolean =>
  value === undefined || value === null || (!required && Predicate.isString(value) && value.trim() === "")

const reachProblems = ({ max_results, page }: Values): ReadonlyArray<FieldProblem> => {
  const message = windowProblem(page, max_results)
  return message === null ? [] : [{ in: "body", field: "page", message }]
}

type BackendProblems = (backend: string) => ReadonlyArray<FieldProblem>

/**
 * Decodes the arguments of a tool call with the Schema of the endpoint's parameters. Accepts the forms that models
 * send: numbers as strings and strings as numbers, lists as strings and strings as lists, null or "" for an omitted
 * argument, and unknown arguments. Reports every invalid argument; `backendProblems` checks a `backend`, which no
 * Schema can.
 */
export const argumentReader = <A, I>(schema: Schema.Schema<A, I>) => {
  const fields = fieldsOf(schema.ast)
  const decode = Schema.decodeUnknownEither(schema, { errors: "all" })

  const problem = (issue: ParseResult.ArrayFormatterIssue): FieldProblem => {
    const name = String(issue.path[0] ?? "")
    const field = fields.find((one) => one.name === name)
    const allowed = field && ruleOf(field.ast)?.allowed
    return {
      in: "body",
      field: argumentOf(name),
      message: issue._tag === "Missing" ? "is required" : issue.message,
      ...(allowed === undefined ? {} : { allowed })
    }
  }

  const furtherProblems = (encoded: Values, backendProblems: BackendProblems): ReadonlyArray<FieldProblem> => {
    const backend = encoded["backend"]
    return [
      ...(Predicate.isString(backend) ? backendProblems(backend.toLowerCase().replace(/\s/g, "")) : []),
      ...(fields.some(({ name }) => name === "page") ? reachProblems(encoded) : [])
    ]
  }

  return (given: Values, backendProblems: BackendProblems = () => []): Either.Either<A, InvalidParameters> => {
    if (isNoObject(given)) {
      return Either.left(new InvalidParameters({ problems: [{ in: "body", field: "", message: "must be an object" }] }))
    }
    const encoded: Values = Object.fromEntries(
      fields.flatMap((field) => {
        const value = given[argumentOf(field.name)]
        return isAbsent(value, field) ? [] : [[field.name, normalised(value, field.ast)]]
      })
    )
    return Either.mapLeft(decode(encoded), (error) => {
      const problems = ParseResult.ArrayFormatter.formatErrorSync(error)
        .map(problem)
        .concat(furtherProblems(encoded, backendProblems))
      const isFirst = ({ field }: FieldProblem, index: number) =>
        problems.findIndex((one) => one.field === field) === index
      return new InvalidParameters({ problems: problems.filter(isFirst) })
    })
  }
}
