import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isSlow } from "../../support/Cases.ts"
import { allows, rulesFor } from "../../../src/services/fetcher/RobotsRules.ts"

const verdict = (text: string, path: string): boolean =>
  allows(rulesFor("Quarry", text), new URL(path, "https://example.com"))

describe("robots.txt", () => {
  it("is read by the groups that name us, or else by those for everybody (RFC 9309, 2.2.1)", () => {
    const text = [
      "Disallow: /before-any-group",
      "User-agent: other",
      "Disallow: /",
      "User-Agent: quarry/2.0 # whatever the version",
      "user-agent: another",
      "Disallow: /a",
      "User-agent: *",
      "Disallow: /b",
      "User-agent: QUARRY",
      "Disallow : /c # twice named, put together"
    ].join("\r\n")
    assert.deepStrictEqual(
      ["/", "/a", "/b", "/c", "/before-any-group"].map((path) => verdict(text, path)),
      [true, false, true, false, true]
    )
    assert.isFalse(verdict("User-agent: other\nAllow: /\n\nUser-agent: *\nDisallow: /b", "/b"))
    assert.isTrue(verdict("User-agent: Quarrying\nDisallow: /", "/"))
    assert.isTrue(verdict("User-agent: *\nDisallow: /\nUser-agent: quarry\nDisallow:", "/"))
    assert.isFalse(verdict("User-agent: quarry\nSitemap: https://example.com/s\n\nCrawl-delay: 9\nDisallow: /", "/"))
  })

  it("has the longest rule decide, and of two as long the one that allows (2.2.2)", () => {
    const text = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /same\nDisallow: /same"
    assert.deepStrictEqual(
      ["/a", "/abc", "/a/b", "/a/b/d", "/a/b/c/d", "/same", "/A"].map((path) => verdict(text, path)),
      [false, false, true, true, false, true, true]
    )
  })

  it("knows * and $ (2.2.3)", () => {
    const text = [
      "User-agent: *",
      "Disallow: /*.gif$",
      "Disallow: /x*y*z",
      "Disallow: /q$",
      "Disallow: *?session="
    ].join("\n")
    const forbidden = ["/a.gif", "/a.gif.gif", "/xyz", "/x-y-z-1", "/q", "/p?session=1"]
    const allowed = ["/a.gif?x", "/a.gifs", "/xzy", "/qq", "/q?a", "/p?a=session"]
    assert.deepStrictEqual(
      forbidden.filter((path) => verdict(text, path)),
      []
    )
    assert.deepStrictEqual(
      allowed.filter((path) => !verdict(text, path)),
      []
    )
  })

  it("takes %2A and %24 for the characters themselves (2.2.3)", () => {
    const text = "User-agent: *\nDisallow: /p%2Aq\nDisallow: /d%24\nDisallow: /e%24$\nDisallow: /f%2a*g"
    const forbidden = ["/p*q", "/p%2Aq", "/p%2aq", "/d$", "/d%24", "/d$1", "/e$", "/e%24", "/f*g", "/f%2Axg"]
    const allowed = ["/pq", "/pxq", "/d", "/e", "/e$x", "/fg", "/fxg"]
    assert.deepStrictEqual(
      forbidden.filter((path) => verdict(text, path)),
      []
    )
    assert.deepStrictEqual(
      allowed.filter((path) => !verdict(text, path)),
      []
    )
  })

  it("compares escapes as RFC 9309 has it", () => {
    const rule = (pattern: string) => `User-agent: *\nDisallow: ${pattern}`
    assert.isFalse(verdict(rule("/foo/bar/ツ"), "/foo/bar/%E3%83%84"))
    assert.isFalse(verdict(rule("/foo/bar/%E3%83%84"), "/foo/bar/ツ"))
    assert.isFalse(verdict(rule("/foo/bar/%62%61%7a"), "/foo/bar/baz"))
    assert.isFalse(verdict(rule("/a{b}"), "/a{b}"))
    assert.isTrue(verdict(rule("/a%2Fb"), "/a/b"))
  })

  it("never forbids itself, nor anything where there is nothing in it", () => {
    assert.isTrue(verdict("User-agent: *\nDisallow: /", "/robots.txt"))
    for (const text of ["", "<!doctype html><p>Disallow: /", "\u{feff}", "User-agent: *\nDisallow:", ":::\n::"]) {
      assert.isTrue(verdict(text, "/"), text)
    }
    assert.isFalse(verdict("\u{feff}User-agent: *\rDisallow: /", "/"))
  })

  it("reads whatever bytes there are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.webPath(), (text, path) => {
        assert.isBoolean(verdict(`User-agent: *\nDisallow: ${text}\n${text}`, `/x${path}`))
      }),
      { numRuns: isSlow ? 1_000 : 30 }
    )
  })

  it("matches as a glob does, in whatever order its stars come", () => {
    const pattern = fc.array(fc.constantFrom("a", "b", "*"), { maxLength: 8 }).map((parts) => `/${parts.join("")}`)
    const path = fc.array(fc.constantFrom("a", "b"), { maxLength: 10 }).map((parts) => `/${parts.join("")}`)
    fc.assert(
      fc.property(pattern, fc.boolean(), path, (body, isWhole, asked) => {
        const glob = new RegExp(`^${body.replaceAll("*", ".*")}${isWhole ? "$" : ""}`)
        assert.strictEqual(!verdict(`User-agent: *\nDisallow: ${body}${isWhole ? "$" : ""}`, asked), glob.test(asked))
      })
    )
  })
})
