import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isSlow } from "../../support/Cases.ts"
import { canonicalUrl } from "../../../src/services/search/CanonicalUrl.ts"

const same: ReadonlyArray<readonly [string, string]> = [
  ["https://example.com/a", "http://www.example.com/a/"],
  ["https://example.com/", "https://example.com"],
  ["https://example.com/a?utm_source=x&b=1", "https://example.com/a?b=1&fbclid=zz"],
  ["https://example.com/a?b=1&c=2", "https://example.com/a?c=2&b=1"],
  ["https://example.com/a#part", "https://example.com/a"],
  ["https://m.example.com/a", "https://example.com/a"],
  ["https://amp.example.com/a/amp/", "https://example.com/a"],
  ["https://example.com:443/a", "http://example.com:80/a"],
  ["https://EXAMPLE.com/index.html", "https://example.com/"],
  ["https://www.example.com/Js/", "https://example.com/js"],
  ["https://example.com/Docs/Guide/a", "https://example.com/docs/guide/a"],
  ["https://en.m.wikipedia.org/wiki/Bridge", "https://en.wikipedia.org/wiki/Bridge"],
  ["https://www.google.com/amp/s/www.example.com/a/amp/?amp=1", "https://example.com/a"],
  ["https://www-example-com.cdn.ampproject.org/c/s/www.example.com/a", "https://example.com/a"],
  ["https://www.youtube.com/watch?v=aaaaaaaaaaa&t=10s&feature=share", "https://youtube.com/shorts/aaaaaaaaaaa"],
  [
    "https://commons.wikimedia.org/wiki/File:Ailurus_%28a%29.jpg",
    "https://commons.wikimedia.org/wiki/File:Ailurus_(a).jpg"
  ],
  ["https://example.com/%7Euser/", "https://example.com/~user"],
  ["https://youtu.be/aaaaaaaaaaa?si=share", "https://m.youtube.com/watch?v=aaaaaaaaaaa"]
]

const different: ReadonlyArray<readonly [string, string]> = [
  ["https://example.com/a", "https://example.com/b"],
  ["https://example.com/a?id=1", "https://example.com/a?id=2"],
  ["https://example.com/A", "https://example.com/a"],
  ["https://example.com/aBcd", "https://example.com/abcd"],
  ["https://en.wikipedia.org/wiki/Iron_Maiden", "https://en.wikipedia.org/wiki/Iron_maiden"],
  ["https://example.com/watch?v=Abc", "https://example.com/watch?v=abc"],
  ["https://example.com/#/one", "https://example.com/#/two"],
  ["https://de.example.com/", "https://en.example.com/"],
  ["https://example.com:8080/", "https://example.com/"],
  ["https://m.com/", "https://example.com/"],
  ["https://www.google.com/amp/", "https://www.google.com/maps"],
  ["https://youtu.be/aaaaaaaaaaa", "https://youtu.be/bbbbbbbbbbb"],
  ["https://imgur.com/Abcd", "https://imgur.com/abcd"],
  ["https://en.wiktionary.org/wiki/Polish", "https://en.wiktionary.org/wiki/polish"],
  ["https://groups.google.com/forum/#!topic/a/1", "https://groups.google.com/forum/#!topic/b/2"],
  ["https://example.com/a%2Fb", "https://example.com/a/b"]
]

describe("canonicalUrl", () => {
  it.each(same)("%s is %s", (one, other) => {
    assert.strictEqual(canonicalUrl(one), canonicalUrl(other))
  })

  it.each(different)("%s is not %s", (one, other) => {
    assert.notStrictEqual(canonicalUrl(one), canonicalUrl(other))
  })

  it("never throws, and tracking parameters never count", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (url, value) => {
        const joint = url.includes("?") ? "&" : "?"
        assert.strictEqual(canonicalUrl(`${url}${joint}utm_campaign=${encodeURIComponent(value)}`), canonicalUrl(url))
        canonicalUrl(value)
      }),
      { numRuns: isSlow ? 1_000 : 30 }
    )
  })
})
