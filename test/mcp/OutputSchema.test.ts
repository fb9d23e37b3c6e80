import { assert, describe, it } from "@effect/vitest"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"
import { Arbitrary, FastCheck, Schema } from "effect"
import { isSlow } from "../support/Cases.ts"
import { answerSchemas, BatchAnswer, UnifiedAnswer } from "../../src/domain/Answer.ts"
import { ContentDocument } from "../../src/domain/Content.ts"
import { outputSchema } from "../../src/mcp/OutputSchema.ts"

const takesAll = <A, I>(schema: Schema.Schema<A, I>) => {
  const validate = new AjvJsonSchemaValidator().getValidator(outputSchema(schema))
  const encode = Schema.encodeSync(schema)
  FastCheck.assert(
    FastCheck.property(Arbitrary.make(schema), (answer) => {
      const { errorMessage, valid } = validate(JSON.parse(JSON.stringify(encode(answer))))
      assert.isTrue(valid, errorMessage)
    }),
    { numRuns: isSlow ? 100 : 15 }
  )
}

const { books, images, news, text, videos } = answerSchemas
const answers = { text, images, videos, news, books, UnifiedAnswer, ContentDocument, BatchAnswer }

describe("an output schema", () => {
  it("takes every answer that there can be", () => {
    takesAll(text)
    takesAll(images)
    takesAll(videos)
    takesAll(news)
    takesAll(books)
    takesAll(UnifiedAnswer)
    takesAll(ContentDocument)
    takesAll(BatchAnswer)
  })

  it.each(Object.entries(answers))("of %s takes nothing that lacks a member", (_, schema) => {
    const validate = new AjvJsonSchemaValidator().getValidator(outputSchema(schema))
    assert.isFalse(validate({}).valid)
    assert.isFalse(validate({ success: false, error: "Search failed", details: null }).valid)
  })

  it("says what all members of a union have", () => {
    const items = Schema.Array(
      Schema.Union(
        Schema.Struct({ type: Schema.Literal("a"), size: Schema.NullOr(Schema.Number), only: Schema.String }),
        Schema.Struct({ type: Schema.Literal("b"), size: Schema.NullOr(Schema.Number) })
      )
    )
    assert.deepStrictEqual<object>(outputSchema(Schema.Struct({ items })), {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: {
            type: "object",
            properties: { type: { type: "string", enum: ["a", "b"] }, size: { type: ["number", "null"] } },
            required: ["type", "size"]
          }
        }
      },
      required: ["items"]
    })
  })
})
