import { ParseResult, Schema, type SchemaAST } from "effect"

/**
 * Validation rule of a REST parameter, which is a string in the query and typed once decoded. The parameter's Schema
 * also carries the data of its OpenAPI entry (bounds, enum, default, description, example) and its error message.
 */
export interface Rule {
  /** Completes the message "must be {expected}". */
  readonly expected: string
  /** Members of an enum. */
  readonly allowed?: ReadonlyArray<string>
}

const RuleId = Symbol.for("quarry/domain/Parameter/Rule")

/** Returns the rule in a parameter's Schema. */
export const ruleOf = (ast: SchemaAST.AST): Rule | undefined => {
  const rule = ast.annotations[RuleId]
  return isRule(rule) ? rule : undefined
}

const isRule = (value: unknown): value is Rule => typeof value === "object" && value !== null && "expected" in value

interface Documentation<A> {
  readonly description: string
  readonly default?: A
  readonly example?: A
}

const document = <A>(rule: Rule, jsonSchema: object, documentation: Documentation<A>) => ({
  [RuleId]: rule,
  message: () => ({ message: `must be ${rule.expected}`, override: true }),
  description: documentation.description,
  jsonSchema: {
    ...jsonSchema,
    description: documentation.description,
    ...(documentation.default === undefined ? {} : { default: documentation.default }),
    ...(documentation.example === undefined ? {} : { examples: [documentation.example] })
  }
})

const rejected = (ast: SchemaAST.AST, actual: unknown) => ParseResult.fail(new ParseResult.Type(ast, actual))

/** Integer in decimal digits, with optional surrounding spaces (contract, section 1). */
export const integer = (
  options: { readonly min: number; readonly max?: number } & Documentation<number>
): Schema.Schema<number, string> => {
  const { max = Number.MAX_SAFE_INTEGER, min } = options
  const bounds = options.max === undefined ? `of at least ${min}` : `from ${min} to ${max}`
  return Schema.transformOrFail(Schema.String, Schema.Number, {
    strict: true,
    decode: (text, _, ast) => {
      const digits = /^ *(-?\d+) *$/.exec(text)?.[1]
      const value = Number(digits)
      return digits !== undefined && value >= min && value <= max ? ParseResult.succeed(value) : rejected(ast, text)
    },
    encode: (value) => ParseResult.succeed(String(value))
  }).annotations(
    document(
      { expected: `an integer ${bounds}` },
      { type: "integer", minimum: min, ...(options.max === undefined ? {} : { maximum: max }) },
      options
    )
  )
}

/** Member of a list, in any letter case. */
export const oneOf = <const A extends string>(
  allowed: ReadonlyArray<A>,
  documentation: Documentation<A>
): Schema.Schema<A, string> => {
  const isAllowed = (value: string): value is A => allowed.some((member) => member === value)
  return Schema.transformOrFail(Schema.String, Schema.String.pipe(Schema.filter(isAllowed)), {
    strict: true,
    decode: (text, _, ast) => {
      const member = allowed.find((one) => one.toLowerCase() === text.toLowerCase())
      return member === undefined ? rejected(ast, text) : ParseResult.succeed(member)
    },
    encode: (member) => ParseResult.succeed(member)
  }).annotations(
    document({ expected: `one of ${allowed.join(", ")}`, allowed }, { type: "string", enum: allowed }, documentation)
  )
}

/** Text parsed by `read`, which returns null for an invalid value. */
export const text = (
  options: {
    readonly expected: string
    readonly read: (text: string) => string | null
    readonly jsonSchema?: object
  } & Documentation<string>
): Schema.Schema<string, string> =>
  Schema.transformOrFail(Schema.String, Schema.String, {
    strict: true,
    decode: (given, _, ast) => {
      const value = options.read(given)
      return value === null ? rejected(ast, given) : ParseResult.succeed(value)
    },
    encode: (value) => ParseResult.succeed(value)
  }).annotations(document({ expected: options.expected }, { type: "string", ...options.jsonSchema }, options))
