import { describe, expect, it } from "@effect/vitest"
import { type ContentFormat } from "../../../../src/domain/Content.ts"
import { extractText } from "../../../../src/services/extractor/formats/TextDocument.ts"

const address = "https://harbour.example/feeds/all"
const feed = (source: string, format: ContentFormat = "text") => extractText(source, "feed", address, format)

describe("a feed", () => {
  it("has its links from xml:base, its language from xml:lang, its dates from when they were published", () => {
    const found = feed(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://at.example/base/" xml:lang="fr-CA">
      <title>Port</title><link href="/"/>
      <entry xml:base="posts/"><title>One</title><link href="1"/><updated>2024-03-06T00:00:00Z</updated>
        <published>2024-03-05T00:00:00Z</published><author><name>Ann</name><uri>https://ann.example/</uri></author></entry>
      <entry><title>Two</title><content src="2.html" type="text/html"/><updated>2024-03-07</updated></entry></feed>`)
    expect(found.language).toBe("fr-CA")
    expect(found.content).toBe(
      "Port\nhttps://at.example/\n\nOne\nhttps://at.example/base/posts/1\n2024-03-05T00:00:00Z · Ann\n\n" +
        "Two\nhttps://at.example/base/2.html\n2024-03-07"
    )
  })

  const rss = `<rss><channel><title>F</title>
    <item><title>A</title><description>Short.</description><content:encoded>&lt;p&gt;The full text of it.&lt;/p&gt;</content:encoded></item>
    <item><guid isPermaLink="true">https://harbour.example/g</guid><description>The fuller one.</description><content:encoded>x</content:encoded></item>
    <item><guid>tag-1</guid><description>No link.</description></item></channel></rss>`

  it("gives the fuller of summary and content, and the link of an item without a title", () => {
    expect(feed(rss).content).toBe(
      "F\n\nA\nThe full text of it.\n\nhttps://harbour.example/g\nThe fuller one.\n\nNo link."
    )
    expect(feed(rss, "markdown").content).toContain("## [https://harbour.example/g](https://harbour.example/g)\n\nThe")
    expect(feed(rss, "html").content).toContain(
      '<h2><a href="https://harbour.example/g">https://harbour.example/g</a></h2>\n<p>The fuller one.</p>'
    )
  })

  it("may be of JSON", () => {
    const json = JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: "Port & quay",
      home_page_url: "/",
      language: "en",
      items: [
        {
          id: "1",
          url: "/1",
          title: "One",
          content_html: "<p>Text <b>of</b> it</p><script>x</script>",
          date_published: "2024-03-05"
        },
        { id: "https://harbour.example/2", content_text: "a < b", authors: [{ name: "Ann" }] },
        null
      ]
    }).replaceAll("/", "\\/")
    const found = extractText(json, "json", address, "text")
    expect(found).toMatchObject({ title: "Port & quay", language: "en", page_kind: "listing" })
    expect(found.content).toBe(
      "Port & quay\nhttps://harbour.example/\n\nOne\nhttps://harbour.example/1\n2024-03-05\nText of it\n\n" +
        "https://harbour.example/2\nAnn\na < b"
    )
    expect(extractText('{"version":"https://jsonfeed.org/version/1"}', "json", address, "text").page_kind).toBeNull()
  })
})
