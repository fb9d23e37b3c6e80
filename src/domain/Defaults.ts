import { type Schema } from "effect"

/** What a caller has to give: whatever has a default may be left out. */
export type Given<Fields extends Schema.Struct.Fields> = Schema.Simplify<Schema.Struct.Constructor<Fields>>

/** Parameters with their defaults filled in. The rules are not applied: whoever takes them does. */
export const withDefaults = <Fields extends Schema.Struct.Fields>(
  parameters: Schema.Struct<Fields> | Schema.filter<Schema.Struct<Fields>>,
  given: Given<Fields>
) => ("from" in parameters ? parameters.from : parameters).make(given, { disableValidation: true })
