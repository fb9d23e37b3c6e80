/** Runs of white space as one space; what must not break stays. */
export const foldText = (text: string) => text.replace(/[^\S\u00a0]+/g, " ")

/** Runs of white space as one space, none at the ends. */
export const fold = (text: string) => text.replace(/\s+/g, " ").trim()

/** White space between the tags of a page's source, which is most of its text nodes. */
export const isIndentation = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit !== 32 && unit !== 10 && unit !== 9 && unit !== 13) return false
  }
  return true
}

/** Text of a `pre` without the blank lines it begins with. */
export const withoutBlankStart = (text: string) =>
  text.slice(text.lastIndexOf("\n", text.length - text.trimStart().length) + 1)
