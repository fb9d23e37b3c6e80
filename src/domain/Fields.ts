import { SchemaAST } from "effect"

/** A member of a struct's encoded side: a query parameter, a member of a body, or an argument of a tool. */
export interface Field {
  readonly name: string
  readonly required: boolean
  /** Schema of its values, with its annotations. */
  readonly ast: SchemaAST.AST
}

/** Returns the members of a struct's encoded side, through any filters and transformations; none for other Schemas. */
export const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<Field> => {
  let inner = ast
  while (SchemaAST.isTransformation(inner) || SchemaAST.isRefinement(inner)) inner = inner.from
  return SchemaAST.isTypeLiteral(inner)
    ? inner.propertySignatures.map(({ isOptional, name, type }) => ({
        name: String(name),
        required: !isOptional,
        ast: type
      }))
    : []
}
