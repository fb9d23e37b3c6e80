/** Of arrays and objects in each other; nothing that is asked for here has more than five. */
const mostDepth = 64

/** How deep arrays and objects lie in each other, as far as `most` and one. */
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

/** `JSON.parse`, which throws as well on what is nested so deep that to look at it might use up the stack. */
export const parseJson = (text: string): unknown => {
  if (depthOf(text, mostDepth) > mostDepth) throw new SyntaxError(`More than ${mostDepth} levels of nesting`)
  return JSON.parse(text)
}
