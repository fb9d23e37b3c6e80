import { describe, expect, it } from "@effect/vitest"
import { mediaType, sniff } from "../../../../src/services/extractor/formats/MediaType.ts"

describe("the media type", () => {
  it.each([
    ["Text/HTML; charset=x", "text/html"],
    ["text/html, text/plain", "text/plain"],
    ['text/html;charset="a,b", */*', "text/html"],
    ["text/plain, text/html;charset=utf-8, bogus", "text/html"],
    ["bogus", "bogus"],
    [null, ""]
  ])("of %j", (header, type) => {
    expect(mediaType(header)).toBe(type)
  })

  it("of HTML that is said to be HTML and text is HTML", () => {
    const bytes = Buffer.from("<!doctype html><p>x")
    expect(sniff(bytes, "text/html, text/plain")).toEqual({ kind: "html", contentType: "text/html" })
    expect(sniff(bytes, "text/plain, text/html")).toEqual({ kind: "html", contentType: "text/html" })
  })

  it("of XHTML is read by the rules of XML where it is served as such", () => {
    const bytes = Buffer.from('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>')
    for (const type of ["application/xhtml+xml", "application/xml", "text/xml"])
      expect(sniff(bytes, type).kind).toBe("xhtml")
    expect(sniff(bytes, "text/html").kind).toBe("html")
  })
})
