import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import {
  listAt,
  literalIn,
  memberAt,
  numberAt,
  readLiteral,
  textAt
} from "../../src/services/engine/toolkit/Literal.ts"
import { htmlPage } from "../../src/services/engine/toolkit/HtmlPage.ts"
import { isSlow } from "../support/Cases.ts"

/** A value written as devalue and formatters write it; what is written follows from the seeds alone. */
const written = (value: unknown, seeds: ReadonlyArray<number>): string => {
  let used = 0
  const choose = (count: number) => (seeds[used++ % seeds.length] ?? 0) % count
  const quoted = (text: string): string => {
    const quote = ['"', "'"][choose(2)] ?? '"'
    const inner = Array.from(text, (character) => {
      if (character === quote || character === "\\") return `\\${character}`
      const code = character.charCodeAt(0)
      if (code < 32 || character === "<" || code > 0xd7ff || (code > 126 && choose(2) === 0)) {
        return character.length === 2
          ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
          : `\\u${code.toString(16).padStart(4, "0")}`
      }
      return character
    })
    return `${quote}${inner.join("")}${quote}`
  }
  const gap = () => ["", " ", "\n  "][choose(3)] ?? ""
  const write = (one: unknown): string => {
    if (typeof one === "string") return quoted(one)
    if (one === null) return ["null", "void 0", "undefined"][choose(3)] ?? "null"
    if (typeof one === "boolean") return [String(one), one ? "!0" : "!1"][choose(2)] ?? ""
    if (Array.isArray(one)) {
      const list = one.map((element) => (element === null && choose(2) === 0 ? gap() : `${gap()}${write(element)}`))
      return `[${list.join(",")}${one.length > 0 && (one.at(-1) === null || choose(2) === 0) ? "," : ""}${gap()}]`
    }
    if (typeof one === "object") {
      const members = Object.entries(one).map(([key, member]) => {
        const bare = /^[A-Za-z_$][\w$]*$/.test(key) && choose(2) === 0
        return `${gap()}${bare ? key : quoted(key)}${gap()}:${gap()}${write(member)}`
      })
      return `{${members.join(",")}${members.length > 0 && choose(2) === 0 ? "," : ""}${gap()}}`
    }
    return String(one).replace(/^0\./, choose(2) === 0 ? "." : "0.")
  }
  return write(value)
}

const json = FastCheck.jsonValue({ maxDepth: 5 }).map((value): unknown => JSON.parse(JSON.stringify(value)))
const seeds = FastCheck.array(FastCheck.nat(), { minLength: 1, maxLength: 40 })

describe("a literal", () => {
  it("is read as JSON.parse reads JSON", () => {
    FastCheck.assert(
      FastCheck.property(json, (value) => {
        expect(readLiteral(JSON.stringify([value], null, 1))).toEqual([value])
      })
    )
  })

  it("is read whatever way it is written", () => {
    FastCheck.assert(
      FastCheck.property(json, seeds, (value, chosen) => {
        expect(readLiteral(`  ${written([value], chosen)}, "what follows"`, 1)).toEqual([value])
      }),
      { numRuns: isSlow ? 500 : 30 }
    )
  })

  it("never throws, and is null unless it ends", () => {
    const piece = FastCheck.oneof(
      FastCheck.string({ unit: "binary" }),
      FastCheck.constantFrom(
        ..."{}[](),:'\"`\\".split(""),
        "new Date(",
        "new Set([",
        "void 0",
        "a:",
        "-",
        "1e",
        "\\u{",
        "!0"
      )
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(piece, { maxLength: 60 }), (pieces) => {
        readLiteral(pieces.join(""))
      }),
      { numRuns: isSlow ? 1_000 : 50 }
    )
    FastCheck.assert(
      FastCheck.property(
        json,
        seeds,
        FastCheck.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (value, chosen, cut) => {
          const whole = written([value], chosen)
          expect(readLiteral(whole.slice(0, Math.floor(whole.length * cut)))).toBeNull()
        }
      ),
      { numRuns: isSlow ? 300 : 30 }
    )
  })

  it("has no words of its own for dates, sets, functions and variables", () => {
    const text = `{a:new Date(1790603873627),b:new Set([1,2]),c:new Map([["k",1]]),d:Object.create(null),e:NaN,f:-Infinity,
      g:(function(a,b){return {x:a,y:[b,"}"]}}("]",{z:1})),h:__sveltekit_1.defer(1),form,i:new Date(NaN),j:12n,k:0x1f,Español:"ñ",7:"seven",l:"last"}`
    expect(readLiteral(text)).toEqual({
      a: "2026-09-28T13:57:53.627Z",
      b: [1, 2],
      c: [["k", 1]],
      d: null,
      e: null,
      f: null,
      g: null,
      h: null,
      form: null,
      i: null,
      j: 12,
      k: 31,
      Español: "ñ",
      7: "seven",
      l: "last"
    })
  })

  it("cannot reach a prototype", () => {
    const value = readLiteral('{"__proto__":{"polluted":true},constructor:{name:"x"}}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(textAt({}, "constructor", "name")).toBeNull()
    expect(memberAt({}, "polluted")).toBeNull()
  })

  it("is only a list or an object, of bounded depth and size", () => {
    for (const text of ["", "1", '"a"', "null", "(1)", "x", "]", "{]", "[}", "[)", "{1", "{,}"])
      expect(readLiteral(text)).toBeNull()
    expect(readLiteral("[".repeat(150) + "]".repeat(150))).not.toBeNull()
    expect(readLiteral("[".repeat(300) + "]".repeat(300))).toBeNull()
    expect(readLiteral(`[${"1,".repeat(500_000)}]`)).toBeNull()
  })

  const huge = 2_000_000
  const floods: Readonly<Record<string, string>> = {
    lists: "[".repeat(huge),
    "unclosed quotations": `[${"'a".repeat(huge / 2)}`,
    "unknown expressions": `[${"x(".repeat(huge / 2)}`,
    backslashes: `["${"\\".repeat(huge - 1)}`,
    digits: `[${"1".repeat(huge)}`,
    commas: `[${",".repeat(huge)}`,
    spaces: `[${" ".repeat(huge)}`,
    keys: `{${"a:{},".repeat(huge / 5)}`
  }
  for (const [name, text] of Object.entries(floods)) {
    it(`is given up in a flood of ${name}`, { timeout: 240_000 }, () => {
      expect(readLiteral(text)).toBeNull()
    })
  }
})

describe("a page's literal", () => {
  const find = (body: string) => literalIn(htmlPage(body) ?? expect.fail("no page"), body, /\bstart\(/)

  it("is the script's, not what a text quotes", () => {
    expect(find(`<p>start({a:1})</p><script>start({a:2,b:"start({a:3})"})</script>`)).toMatchObject({ a: 2 })
    expect(find("<script>begin({a:2})</script>")).toBeNull()
  })

  it("gives its members by their path, and null for others", () => {
    const value = find(`<script>start({a:{b:["c"],d:4,e:"f"}})</script>`)
    expect([listAt(value, "a", "b"), numberAt(value, "a", "d"), textAt(value, "a", "e")]).toEqual([["c"], 4, "f"])
    expect([listAt(value, "a"), numberAt(value, "a", "e"), textAt(value, "a", "d"), textAt(value, "x", "y")]).toEqual(
      Array.from({ length: 4 }, () => null)
    )
  })
})
