import { isRecord } from "effect/Predicate"
import { isText } from "domhandler"
import { isoOfMillis } from "../../../domain/Dates.ts"
import { all, type Page } from "./HtmlPage.ts"

/**
 * The data that a page's script starts with, written as a JavaScript literal: JSON, what a formatter made of JSON, or
 * what `devalue` writes for SvelteKit (https://github.com/sveltejs/devalue): bare keys, single quotes, `void 0`, holes,
 * `new Date(0)`, `new Set([])`. Read, never run: one pass, no recursion, in time linear in its length.
 */

/** Nesting; the deepest captured literal has 13. */
const deepest = 200
/** Members of all lists and objects; the largest captured literal has 3,200. */
const most = 400_000

type Member = readonly [key: string, value: unknown]

/** A list, an object, or what is in the parentheses of `new Name(…)`. */
interface Frame {
  readonly close: "]" | "}" | ")"
  readonly name: string
  readonly members: Array<Member>
  /** Of the member being read; names members of objects only. */
  key: string
}

const frameOf = (close: Frame["close"], name = ""): Frame => ({ close, name, members: [], key: "" })

/** `new Date(0)` is its ISO text, `new Set([])` and `new Map([])` are their lists. */
const made = ({ close, members, name }: Frame): unknown => {
  if (close === "}") return Object.fromEntries(members)
  const values = members.map(([, value]) => value)
  if (close === "]") return values
  const given = values[0] ?? null
  return name === "Date" && typeof given === "number" ? isoOfMillis(given) : given
}

const words: Readonly<Record<string, boolean>> = { true: true, false: false, "!0": true, "!1": false }

const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "0": "\0",
  "\n": ""
}

const space = /\s*/y
const word = /![01]|[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy
const number = /[+-]?(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)n?/y
const construction = /new (Date|Set|Map)\(/y
const plain = { '"': /[^"\\]*/y, "'": /[^'\\]*/y, "`": /[^`\\]*/y } as const
const unremarkable = /[^"'`()[\]{},]*/y
const codePoint = /u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})/y

const isQuote = (character: string): character is keyof typeof plain => Object.hasOwn(plain, character)

class Reader {
  readonly text: string
  at: number

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  /** What a sticky pattern matches here; moves behind it. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match !== null) this.at += match[0].length
    return match
  }

  /** The next character that is no white space; moves before it. */
  peek(): string {
    this.take(space)
    return this.text.charAt(this.at)
  }

  private escaped(): string {
    const code = this.take(codePoint)
    if (code !== null) {
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16)
      return point > 0x10ffff ? "\ufffd" : String.fromCodePoint(point)
    }
    const character = this.text.charAt(this.at)
    this.at += 1
    return Object.hasOwn(escapes, character) ? (escapes[character] ?? "") : character
  }

  /** Null where the quotation does not end. */
  private quotation(quote: keyof typeof plain): string | null {
    const parts: Array<string> = []
    this.at += 1
    while (this.at < this.text.length) {
      parts.push(this.take(plain[quote])?.[0] ?? "")
      const character = this.text.charAt(this.at)
      this.at += 1
      if (character === quote) return parts.join("")
      parts.push(this.escaped())
    }
    return null
  }

  /** Moves behind the opening of a list, an object or a construction. */
  opening(): Frame | null {
    const character = this.text.charAt(this.at)
    if (character === "{" || character === "[") {
      this.at += 1
      return frameOf(character === "{" ? "}" : "]")
    }
    const construct = character === "n" ? this.take(construction) : null
    return construct === null ? null : frameOf(")", construct[1])
  }

  /** A value that holds no others; null, too, for what is none. */
  scalar(): string | number | boolean | null {
    const character = this.text.charAt(this.at)
    if (isQuote(character)) return this.quotation(character)
    const digits = this.take(number)
    if (digits !== null) {
      const value = Number(digits[0].replace(/n$/, ""))
      return Number.isFinite(value) ? value : null
    }
    const named = this.take(word)?.[0] ?? ""
    return Object.hasOwn(words, named) ? (words[named] ?? null) : null
  }

  key(): string | null {
    const character = this.text.charAt(this.at)
    return isQuote(character) ? this.quotation(character) : ((this.take(word) ?? this.take(number))?.[0] ?? null)
  }

  /** Moves over the rest of an expression (a call, a function), to the comma or bracket that ends it. */
  skip(): void {
    for (let depth = 0; this.at < this.text.length;) {
      this.take(unremarkable)
      const character = this.text.charAt(this.at)
      if (isQuote(character)) {
        this.quotation(character)
        continue
      }
      if (depth === 0 && /[,)\]}]/.test(character)) return
      depth += /[([{]/.test(character) ? 1 : /[)\]}]/.test(character) ? -1 : 0
      this.at += 1
    }
  }

  /** Adds a member that was read up to here, and moves behind its comma, or before the bracket that closes the frame. */
  add(frame: Frame, value: unknown): void {
    const isWhole = /[,)\]}]/.test(this.peek())
    if (!isWhole) this.skip()
    frame.members.push([frame.key, isWhole ? value : null])
    if (this.text.charAt(this.at) === ",") this.at += 1
  }
}

/**
 * The list or object literal that begins at `at`, white space aside; null when there is none, when it does not end, or
 * when it is deeper or larger than any real one. What JSON has no word for (`void 0`, holes, variables, calls) is null.
 */
export const readLiteral = (text: string, at = 0): unknown => {
  const reader = new Reader(text, at)
  reader.peek()
  const frames = [reader.opening()].filter((frame) => frame !== null)
  for (let count = 0; count < most && frames.length <= deepest; count += 1) {
    const frame = frames.at(-1)
    const next = reader.peek()
    if (frame === undefined || next === "") return null
    if (next === frame.close) {
      reader.at += 1
      frames.pop()
      const parent = frames.at(-1)
      if (parent === undefined) return made(frame)
      reader.add(parent, made(frame))
      continue
    }
    if (next === ")" || next === "]" || next === "}") return null
    if (frame.close === "}") {
      const key = reader.key()
      if (key === null) return null
      frame.key = key
      if (reader.peek() !== ":") {
        // `{ form }`: the value of a variable.
        reader.add(frame, null)
        continue
      }
      reader.at += 1
      reader.peek()
    }
    const inner = reader.opening()
    if (inner === null) reader.add(frame, reader.scalar())
    else frames.push(inner)
  }
  return null
}

/** The literal behind the first match of `marker` in one of the page's scripts, or else anywhere in `body`. */
export const literalIn = (page: Page, body: string, marker: RegExp): unknown => {
  const scripts = all(page, "script").map(({ children }) =>
    children
      .filter(isText)
      .map(({ data }) => data)
      .join("")
  )
  for (const text of [...scripts, body]) {
    const match = marker.exec(text)
    if (match !== null) return readLiteral(text, match.index + match[0].length)
  }
  return null
}

/** The member at a path of names; null where there is none. */
export const memberAt = (value: unknown, ...path: ReadonlyArray<string>): unknown => {
  let found = value
  for (const name of path) found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : null
  return found ?? null
}

export const textAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const found = memberAt(value, ...path)
  return typeof found === "string" ? found : null
}

export const numberAt = (value: unknown, ...path: ReadonlyArray<string>): number | null => {
  const found = memberAt(value, ...path)
  return typeof found === "number" ? found : null
}

/** More than any engine gives on a page. */
const mostItems = 500

/** A list's elements, 500 at most; null for what is no list. */
export const listAt = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> | null => {
  const found = memberAt(value, ...path)
  return Array.isArray(found) ? found.slice(0, mostItems) : null
}
