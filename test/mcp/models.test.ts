import { assert, describe, it } from "@effect/vitest"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"
import { Predicate } from "effect"
import { tools } from "../../src/mcp/Tools.ts"
import { openAiLimits, rules } from "./models.ts"

type Node = Readonly<Record<string, unknown>>

const under = (node: Node, key: string): ReadonlyArray<Node> => {
  const value = node[key]
  if (!Predicate.isRecord(value)) return []
  return key === "properties" ? Object.values(value).filter(Predicate.isRecord) : [value]
}

/** A schema and all in it, with how deep they lie. */
const nodesOf = (node: Node, depth = 1): ReadonlyArray<{ readonly node: Node; readonly depth: number }> => [
  { node, depth },
  ...[...under(node, "properties"), ...under(node, "items")].flatMap((inner) => nodesOf(inner, depth + 1))
]

const propertiesOf = ({ inputSchema }: (typeof tools)[number]) => Object.keys(inputSchema.properties)

/** As clients in strict mode rewrite it. */
const strict = ({ inputSchema }: (typeof tools)[number]): Node => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(inputSchema.properties),
  properties: Object.fromEntries(
    Object.entries(inputSchema.properties).map(([name, { default: _, ...property }]) => [
      name,
      inputSchema.required.includes(name) ? property : { ...property, type: [property["type"], "null"] }
    ])
  )
})

describe.each(rules.map((one) => [one.model, one] as const))(
  "tools for %s",
  (_, { keywords, name, property, types }) => {
    it.each(tools.map((tool) => [tool.name, tool] as const))("%s keeps to what it takes", (_, tool) => {
      assert.match(tool.name, name)
      assert.match(`mcp__quarry__${tool.name}`, name)
      for (const key of propertiesOf(tool)) assert.match(key, property)
      for (const { node } of nodesOf(tool.inputSchema)) {
        assert.include(types, String(node["type"]))
        assert.isEmpty(Object.keys(node).filter((key) => !keywords.includes(key)))
        if (node["type"] === "array") assert.isTrue(Predicate.isRecord(node["items"]))
        // Gemini takes enums of strings alone, and none with an empty one.
        if (Array.isArray(node["enum"])) {
          assert.strictEqual(node["type"], "string")
          assert.isTrue(node["enum"].every((member) => Predicate.isString(member) && member !== ""))
        }
      }
    })
  }
)

describe("tools in strict mode", () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))("%s is within the limits, and takes null", (_, tool) => {
    const schema = strict(tool)
    const nodes = nodesOf(schema)
    const members = nodes.flatMap(({ node }) => (Array.isArray(node["enum"]) ? node["enum"] : []))
    assert.isAtMost(Math.max(...nodes.map(({ depth }) => depth)), openAiLimits.depth)
    assert.isAtMost(nodes.length, openAiLimits.properties)
    assert.isAtMost(members.length, openAiLimits.enumMembers)
    assert.isAtMost(JSON.stringify(schema).length, openAiLimits.characters)
    const { valid } = new AjvJsonSchemaValidator().getValidator(tool.inputSchema)({
      [tool.inputSchema.required[0] ?? ""]: tool.inputSchema.required[0] === "urls" ? ["https://example.com/"] : "x"
    })
    assert.isTrue(valid)
  })
})
