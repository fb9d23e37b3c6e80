import { isRecord } from "effect/Predicate"
import { isText } from "domhandler"
import { isoOfMillis } from "../../../domain/Dates.ts"
import { all, type Page } from "./HtmlPage.ts"

/**
 * Reads data from a page's script, written as a JavaScript literal: JSON, reformatted JSON, or the output of `devalue`
 * for SvelteKit (https://github.com/sveltejs/devalue) with bare keys, single quotes, `void 0`, holes, `new Date(0)` and
 * `new Set([])`. The script is never run. One pass without recursion, linear in the length of the text.
 */

/** Maximum nesting depth. The deepest captured literal has 13 levels. */
const deepest = 200
/** Maximum members of all lists and objects together. The largest captured literal has 3,200. */
const most = 400_000

type Member = readonly [key: string, value: unknown]

/** A list, an object, or the arguments of `new Name(…)` while it is being read. */
interface Frame {
  readonly close: "]" | "}" | ")"
  readonly name: string
  readonly members: Array<Member>
  /** Key of the current member. Empty except in objects. */
  key: string
}

const frameOf = (close: Frame["close"], name = ""): Frame => ({ close, name, members: [], key: "" })

/** The value of a completed frame. `new Date(0)` becomes its ISO text, `new Set([])` and `new Map([])` their lists. */
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

  /** Matches a sticky pattern at the current position and moves past the match. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match !== null) this.at += match[0].length
    return match
  }

  /** Skips white space and returns the next character without consuming it. */
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

  /** Reads a quoted string; null when it has no end. */
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

  /** Moves past the opening of a list, an object or a construction; null when there is none here. */
  opening(): Frame | null {
    const character = this.text.charAt(this.at)
    if (character === "{" || character === "[") {
      this.at += 1
      return frameOf(character === "{" ? "}" : "]")
    }
    const construct = character === "n" ? this.take(construction) : null
    return construct === null ? null : frameOf(")", construct[1])
  }

  /** Reads a value that contains no others; null when it is not recognised. */
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

  /** Skips the rest of an expression (a call, a function), up to the comma or bracket that ends it. */
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

  /** Adds a member to the frame and moves past its comma. Stops before a closing bracket. */
  add(frame: Frame, value: unknown): void {
    const isWhole = /[,)\]}]/.test(this.peek())
    if (!isWhole) this.skip()
    frame.members.push([frame.key, isWhole ? value : null])
    if (this.text.charAt(this.at) === ",") this.at += 1
  }
}

/**
 * Reads the list or object literal at `at`, after white space. Returns null when there is none, when it does not end,
 * or when it exceeds the limits. Values without a JSON equivalent (`void 0`, holes, variables, calls) become null.
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
        // Shorthand property, as in `{ form }`: the value is a variable.
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

/** Reads the literal after the first match of `marker` in the page's scripts, or else in `body`; null for none. */
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

/** The member at a path of property names; null when there is none. */
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

/** More than any engine returns on a page. */
const mostItems = 500

/** The list at a path, cut at 500 elements; null when the value is not a list. */
export const listAt = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> | null => {
  const found = memberAt(value, ...path)
  return Array.isArray(found) ? found.slice(0, mostItems) : null
}
