/** Maximum nesting of arrays and objects. No accepted body needs more than five levels. */
const maxDepth = 64

/** Returns the nesting depth of arrays and objects, counting no further than `most + 1`. */
const depthOf = (text: string, most: number): number => {
  let depth = 0
  let deepest = 0
  let isString = false
  for (let index = 0; index < text.length && deepest <= most; index++) {
    const character = text[index]
    if (isString) {
      if (character === "\\") index++
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth)
    else if (character === "]" || character === "}") depth--
  }
  return deepest
}

/** Same as `JSON.parse`, but also throws on nesting so deep that processing the value might overflow the stack. */
export const parseJson = (text: string): unknown => {
  if (depthOf(text, maxDepth) > maxDepth) throw new SyntaxError(`More than ${maxDepth} levels of nesting`)
  return JSON.parse(text)
}
