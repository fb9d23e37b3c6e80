/** What one robots.txt says to one crawler. */
export interface Rules {
  readonly rules: ReadonlyArray<Rule>
}

interface Rule {
  readonly allows: boolean
  /** The pattern between its `*`, escaped as URLs are. */
  readonly parts: ReadonlyArray<string>
  /** Whether it ends in `$`. */
  readonly isWhole: boolean
  /** Of the pattern, by which the most specific rule wins. */
  readonly length: number
}

/** As URLs spell it: in percent-escapes what has to be, and nothing that need not be (RFC 9309, 2.2.2). */
const escaped = (text: string): string =>
  text
    .replace(/[^\x21-\x7e]|["<>^`{}]/gu, (character) =>
      Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
    )
    .replace(/%([0-9a-f]{2})/gi, (escape, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16))
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
    })

/** As URLs may spell them or not; in a pattern they stand for themselves only so (2.2.3). */
const literal = (text: string): string => text.replaceAll("%2A", "*").replaceAll("%24", "$")

const ruleOf = (allows: boolean, value: string): Rule => {
  const pattern = escaped(value)
  const isWhole = pattern.endsWith("$")
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split("*").map(literal)
  return { allows, parts, isWhole, length: pattern.length }
}

const line = /^\s*(user-agent|allow|disallow)\s*:\s*([^#]*)/i

/**
 * The rules of the groups that name the crawler by its product token, all together; of those for `*` where none does
 * (RFC 9309, 2.2.1).
 */
export const rulesFor = (token: string, text: string): Rules => {
  const own: Array<Rule> = []
  const everybody: Array<Rule> = []
  let isNamed = false
  let [isOwn, isEverybody, isOpen] = [false, false, false]
  for (const each of text.replace(/^\u{feff}/u, "").split(/\r\n|\r|\n/)) {
    const [, name = "", rest = ""] = line.exec(each) ?? []
    const value = rest.trim()
    const field = name.toLowerCase()
    if (field === "user-agent") {
      // Rules end the head of a group.
      if (!isOpen) [isOwn, isEverybody] = [false, false]
      isOpen = true
      isOwn ||= value.toLowerCase().split(/[/\s]/)[0] === token.toLowerCase()
      isEverybody ||= value.startsWith("*")
      isNamed ||= isOwn
    } else if (field !== "") {
      isOpen = false
      if (value === "") continue
      const rule = ruleOf(field === "allow", value)
      if (isOwn) own.push(rule)
      if (isEverybody) everybody.push(rule)
    }
  }
  return { rules: isNamed ? own : everybody }
}

/** The leftmost place for each part is as good as any, so that there is no going back: time grows with the path only. */
const matches = ({ isWhole, parts }: Rule, path: string): boolean => {
  const [first = "", ...others] = parts
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of others.entries()) {
    if (isWhole && index === others.length - 1) return path.length - part.length >= at && path.endsWith(part)
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return !isWhole || at === path.length
}

/** Whether a URL may be asked for: the longest rule that matches decides, of two as long the one that allows (2.2.2). */
export const allows = ({ rules }: Rules, url: URL): boolean => {
  if (url.pathname === "/robots.txt") return true
  const path = literal(escaped(`${url.pathname}${url.search}`))
  let best: Rule | null = null
  for (const rule of rules) {
    const isBetter =
      best === null || rule.length > best.length || (rule.length === best.length && rule.allows && !best.allows)
    if (isBetter && matches(rule, path)) best = rule
  }
  return best === null || best.allows
}
