import { webUrl } from "../../domain/WebUrl.ts"

const tag = /<\/?[a-z][^<>]*>|<[!?][^<>]*>/iy
const autolink = /<((?:https?:\/\/|[\w.+-]{1,64}@)[^\s<>]*)>/iy
const destination = /\]\(\s*(<[^<>\n]*>|(?:[^\s()]|\([^\s()]{0,500}\)){0,2000})/y
const definition = /^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){0,20}\[[^\]\n]{1,999}\]:[ \t]*(<[^<>\n]*>|\S+)/
const fence = /^( {0,3})(`{3,}|~{3,})([^\n]*)$/

/** What is looked into; all between is kept. */
const special = /[\\`<\]]/g

const bare = (link: string) => (link.startsWith("<") ? link.slice(1, -1) : link)
/** Parentheses and spaces would end a destination. */
const written = (url: string) => url.replaceAll("(", "%28").replaceAll(")", "%29")

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Where the code that a run of backticks begins ends on its line, or -1; `missing` keeps the runs that nothing ends. */
const endOfCode = (line: string, at: number, run: number, missing: Set<number>): number => {
  if (missing.has(run)) return -1
  for (let next = line.indexOf("`", at + run); next >= 0; next = line.indexOf("`", next)) {
    const start = next
    while (line.charAt(next) === "`") next++
    if (next - start === run) return next
  }
  missing.add(run)
  return -1
}

/** Whether all code on a line ends on it. */
const isClosed = (line: string): boolean => {
  const missing = new Set<number>()
  for (let at = line.indexOf("`"); at >= 0; at = line.indexOf("`", at)) {
    if (line.charAt(at - 1) === "\\") {
      at++
      continue
    }
    let run = 1
    while (line.charAt(at + run) === "`") run++
    const end = endOfCode(line, at, run, missing)
    if (end < 0) return false
    at = end
  }
  return true
}

/** A line outside of fenced code: no HTML, links absolute; code stays as it is where `keepsCode`. */
const safeLine = (line: string, base: string, keepsCode: boolean): string => {
  const defined = definition.exec(line)
  if (defined !== null) {
    const [whole, link = ""] = defined
    const url = webUrl(bare(link), base)
    if (url === null) return ""
    return whole.slice(0, whole.length - link.length) + written(url) + safeLine(line.slice(whole.length), base, false)
  }
  const isIndented = /^(?: {4}| {0,3}\t)/.test(line)
  const missing = new Set<number>()
  let safe = ""
  let at = 0
  while (at < line.length) {
    const character = line.charAt(at)
    if (character === "\\") {
      safe += line.slice(at, at + 2)
      at += 2
    } else if (character === "`" && keepsCode) {
      let run = 1
      while (line.charAt(at + run) === "`") run++
      const end = endOfCode(line, at, run, missing)
      safe += line.slice(at, end < 0 ? at + run : end)
      at = end < 0 ? at + run : end
    } else if (character === "<") {
      const link = matchAt(autolink, line, at)
      const html = link === null && !isIndented ? matchAt(tag, line, at) : null
      if (link !== null) safe += webUrl(link[1]) === null ? (link[1] ?? "") : link[0]
      else if (html === null) safe += /[a-z/!?]/i.test(line.charAt(at + 1)) ? "\\<" : "<"
      at += (link ?? html)?.[0].length ?? 1
    } else if (character === "]") {
      const link = matchAt(destination, line, at)
      const isOpen = link !== null && at + link[0].length === line.length
      // A definition, or the destination of a link, that goes on where it is not looked for is none.
      if (isOpen) safe += `]\\${line.slice(at + 1, at + link[0].length)}`
      else if (link !== null) safe += `](${written(webUrl(bare(link[1] ?? ""), base) ?? "")}`
      else safe += line.charAt(at + 1) === ":" ? "]\\" : "]"
      at += link === null ? 1 : link[0].length
    } else {
      special.lastIndex = at + 1
      const end = special.exec(line)?.index ?? line.length
      safe += line.slice(at, end)
      at = end
    }
  }
  return safe
}

const withoutComments = (line: string, isOpen: boolean): readonly [string, boolean] => {
  let shown = ""
  let at = 0
  let inside = isOpen
  while (at < line.length) {
    const next = line.indexOf(inside ? "-->" : "<!--", at)
    if (!inside) shown += line.slice(at, next < 0 ? line.length : next)
    if (next < 0) break
    at = next + (inside ? 3 : 4)
    inside = !inside
  }
  return [shown, inside]
}

/**
 * Markdown as its author wrote it, but for what HTML's output leaves out, too: HTML, comments, and links to elsewhere
 * than the web; relative links become absolute. Reads line by line, in linear time: Markdown parsers are slow on
 * hostile input. What is not surely code is no code.
 */
export const safeMarkdown = (source: string, base: string): string => {
  const lines: Array<string> = []
  let open: { readonly mark: string; readonly indent: number } | null = null
  let inComment = false
  let block: Array<string> = []
  const endBlock = () => {
    const keepsCode = block.every(isClosed)
    for (const line of block) lines.push(safeLine(line, base, keepsCode))
    block = []
  }
  for (const line of source.split("\n")) {
    const [, indent = "", mark = "", info = ""] = inComment ? [] : (fence.exec(line) ?? [])
    if (open !== null) {
      const ends = mark.startsWith(open.mark) && info.trim() === ""
      const isLeft = line.trim() !== "" && line.length - line.trimStart().length < open.indent
      if (!isLeft || ends) {
        lines.push(line)
        if (ends) open = null
        continue
      }
      open = null
    }
    if (mark !== "" && !(mark.startsWith("`") && info.includes("`"))) {
      endBlock()
      lines.push(line)
      open = { mark, indent: indent.length }
      continue
    }
    const [shown, rest]: readonly [string, boolean] =
      line.includes("`") && !inComment ? [line, false] : withoutComments(line, inComment)
    inComment = rest
    if (shown.trim() === "") endBlock()
    block.push(shown)
  }
  endBlock()
  return lines.join("\n")
}
