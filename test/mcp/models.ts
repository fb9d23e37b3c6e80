/**
 * What models' function calling takes of JSON Schema in a tool's parameters, each as published. A schema that keeps to
 * the least of them all is taken by all.
 */
export interface Rules {
  readonly model: string
  readonly sources: ReadonlyArray<string>
  /** Of a function; MCP clients often put a prefix of the server's before it. */
  readonly name: RegExp
  readonly property: RegExp
  readonly types: ReadonlyArray<string>
  /** Keywords that it reads, or says that it ignores. What is not here is refused by some version of it. */
  readonly keywords: ReadonlyArray<string>
}

export const rules: ReadonlyArray<Rules> = [
  {
    model: "Gemini",
    sources: [
      "https://ai.google.dev/api/caching#Schema (v1beta, Schema: a select subset of an OpenAPI 3.0 schema object)",
      "https://ai.google.dev/api/caching#FunctionDeclaration (names)"
    ],
    name: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
    property: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
    types: ["string", "number", "integer", "boolean", "array", "object"],
    // `default` is documented as taken and ignored.
    keywords: [
      "type",
      "format",
      "title",
      "description",
      "nullable",
      "enum",
      "maxItems",
      "minItems",
      "properties",
      "required",
      "minProperties",
      "maxProperties",
      "minLength",
      "maxLength",
      "pattern",
      "example",
      "anyOf",
      "propertyOrdering",
      "default",
      "items",
      "minimum",
      "maximum"
    ]
  },
  {
    model: "OpenAI, strict mode",
    sources: [
      "https://platform.openai.com/docs/guides/structured-outputs#supported-schemas",
      "https://platform.openai.com/docs/guides/function-calling#strict-mode"
    ],
    name: /^[a-zA-Z0-9_-]{1,64}$/,
    property: /^[a-zA-Z0-9_-]{1,64}$/,
    types: ["string", "number", "integer", "boolean", "array", "object"],
    // Clients that are strict require every property, null where it may be left out, allow no others, and take
    // defaults away, as `ensureStrictJsonSchema` of the Agents SDK does: what they start from may have them.
    keywords: [
      "type",
      "description",
      "enum",
      "properties",
      "required",
      "additionalProperties",
      "items",
      "anyOf",
      "pattern",
      "format",
      "multipleOf",
      "maximum",
      "exclusiveMaximum",
      "minimum",
      "exclusiveMinimum",
      "minItems",
      "maxItems",
      "default"
    ]
  },
  {
    model: "Claude",
    sources: [
      "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools",
      "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations"
    ],
    name: /^[a-zA-Z0-9_-]{1,64}$/,
    property: /^[a-zA-Z0-9_.-]{1,64}$/,
    types: ["string", "number", "integer", "boolean", "array", "object"],
    // Any JSON Schema 2020-12 where it is not strict; strict, SDKs move bounds of numbers and lengths to descriptions.
    keywords: [
      "type",
      "title",
      "description",
      "enum",
      "const",
      "anyOf",
      "properties",
      "required",
      "additionalProperties",
      "items",
      "default",
      "format",
      "pattern",
      "minimum",
      "maximum",
      "minItems",
      "maxItems",
      "minLength",
      "maxLength"
    ]
  }
]

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
export const openAiLimits = { depth: 10, properties: 5_000, enumMembers: 1_000, characters: 120_000 } as const
