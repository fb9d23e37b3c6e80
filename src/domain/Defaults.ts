import { type Schema } from "effect"

/** Parameters that a caller passes; those with defaults are optional. */
export type Given<Fields extends Schema.Struct.Fields> = Schema.Simplify<Schema.Struct.Constructor<Fields>>

/** Fills in the defaults without validating. The receiver of the parameters validates them. */
export const withDefaults = <Fields extends Schema.Struct.Fields>(
  parameters: Schema.Struct<Fields> | Schema.filter<Schema.Struct<Fields>>,
  given: Given<Fields>
) => ("from" in parameters ? parameters.from : parameters).make(given, { disableValidation: true })
