import { SchemaAST } from "effect"

/** A member of the encoded side of a struct: a query parameter, a member of a body, an argument of a tool. */
export interface Field {
  readonly name: string
  readonly required: boolean
  /** The Schema of its values, with what it is annotated with. */
  readonly ast: SchemaAST.AST
}

/** The members of a struct's encoded side, whatever filters and transformations it has; none of anything else. */
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
