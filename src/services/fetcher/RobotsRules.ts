/** The rules of a robots.txt for one crawler. */
export interface Rules {
  readonly rules: ReadonlyArray<Rule>
}

interface Rule {
  readonly allows: boolean
  /** The pattern, split at `*` and percent-encoded like a URL. */
  readonly parts: ReadonlyArray<string>
  /** The pattern ends in `$`. */
  readonly isWhole: boolean
  /** Length of the pattern. The longest matching rule wins. */
  readonly length: number
}

/** Normalises percent-encoding: encodes only the characters that require it (RFC 9309, 2.2.2). */
const escaped = (text: string): string =>
  text
    .replace(/[^\x21-\x7e]|["<>^`{}]/gu, (character) =>
      Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
    )
    .replace(/%([0-9a-f]{2})/gi, (escape, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16))
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
    })

/** Decodes `*` and `$`, which URLs may encode. In a pattern, they are literal only when encoded (2.2.3). */
const literal = (text: string): string => text.replaceAll("%2A", "*").replaceAll("%24", "$")

const ruleOf = (allows: boolean, value: string): Rule => {
  const pattern = escaped(value)
  const isWhole = pattern.endsWith("$")
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split("*").map(literal)
  return { allows, parts, isWhole, length: pattern.length }
}

const line = /^\s*(user-agent|allow|disallow)\s*:\s*([^#]*)/i

/**
 * Returns the rules of all groups that name the product token of the crawler. Without such a group, returns those of
 * the groups for `*` (RFC 9309, 2.2.1).
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
      // A `user-agent` line after rules starts a new group.
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

/** Matches each part at its leftmost position. No backtracking is needed, so the time is linear in the path. */
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

/**
 * Returns whether a URL may be fetched. The longest matching rule decides; of two with equal length, the one that
 * allows (2.2.2).
 */
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
