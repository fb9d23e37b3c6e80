/** Replaces runs of white space by one space. Keeps no-break spaces. */
export const foldText = (text: string) => text.replace(/[^\S\u00a0]+/g, " ")

/** Replaces runs of white space by one space, and trims both ends. */
export const fold = (text: string) => text.replace(/\s+/g, " ").trim()

/** Whether a text is only the white space between tags. Most text nodes of a page are. */
export const isIndentation = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit !== 32 && unit !== 10 && unit !== 9 && unit !== 13) return false
  }
  return true
}

/** Returns the text of a `pre` without its leading blank lines. */
export const withoutBlankStart = (text: string) =>
  text.slice(text.lastIndexOf("\n", text.length - text.trimStart().length) + 1)
