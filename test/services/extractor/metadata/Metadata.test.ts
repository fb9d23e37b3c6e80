import { describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { type ContentFormat } from "../../../../src/domain/Content.ts"
import { extractText } from "../../../../src/services/extractor/formats/TextDocument.ts"

const extract = (
  source: string,
  kind: "html" | "plain" = "html",
  format: ContentFormat = "text",
  url = "https://harbour.example/stories/ferry/"
) => extractText(source, kind, url, format)

const made = (name: string) => readFileSync(new URL(`../pages/${name}.html`, import.meta.url), "utf8")

describe("metadata by source", () => {
  const ld = (properties: Record<string, unknown>) =>
    `<script type="application/ld+json">${JSON.stringify({ "@type": "Article", ...properties })}</script>`
  const property = (name: string, content: string) => `<meta property="${name}" content="${content}">`
  const named = (name: string, content: string) => `<meta name="${name}" content="${content}">`
  const item = (name: string, content: string) => `<meta itemprop="${name}" content="${content}">`
  const head = (...parts: ReadonlyArray<string>) => `<head>${parts.join("")}</head><body><p>Text.</p></body>`

  /** Field, sources from the strongest to the weakest, and what each of them says. */
  const precedence: ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, string]>]> = [
    [
      "title",
      [
        [property("og:title", "Of OpenGraph"), "Of OpenGraph"],
        [ld({ headline: "Of JSON-LD" }), "Of JSON-LD"],
        [named("twitter:title", "Of Twitter"), "Of Twitter"],
        [`<meta itemprop="headline" content="Of microdata">`, "Of microdata"],
        ["<title>Of the title</title>", "Of the title"]
      ]
    ],
    [
      "description",
      [
        [property("og:description", "Of OpenGraph"), "Of OpenGraph"],
        [named("description", "Of the meta"), "Of the meta"],
        [named("twitter:description", "Of Twitter"), "Of Twitter"],
        [ld({ description: "Of JSON-LD" }), "Of JSON-LD"]
      ]
    ],
    [
      "author",
      [
        [
          ld({ author: [{ name: "Ines Calder" }, { name: "Tom Reed" }, { name: "Ines Calder" }] }),
          "Ines Calder, Tom Reed"
        ],
        [named("author", "Ada Writer") + named("author", "Bo Carter"), "Ada Writer, Bo Carter"],
        [named("citation_author", "Lovell, D."), "Lovell, D."],
        [item("author", "Eve Moss"), "Eve Moss"]
      ]
    ],
    [
      "published",
      [
        [ld({ datePublished: "2025-03-01" }), "2025-03-01"],
        [property("article:published_time", "2025-03-02T08:00:00Z"), "2025-03-02T08:00:00Z"],
        [named("dc.date", "2025-03-03"), "2025-03-03"],
        [`<time datetime="2025-03-04"></time>`, "2025-03-04"]
      ]
    ],
    [
      "modified",
      [
        [ld({ dateModified: "2025-04-01T10:00:00+02:00" }), "2025-04-01T10:00:00+02:00"],
        [property("article:modified_time", "2025-04-02"), "2025-04-02"],
        [property("og:updated_time", "2025-04-03"), "2025-04-03"],
        [item("dateModified", "2025-04-04"), "2025-04-04"]
      ]
    ],
    [
      "canonical",
      [
        [`<link rel="alternate canonical" href="/stories/ferry">`, "https://harbour.example/stories/ferry"],
        [property("og:url", "https://harbour.example/og"), "https://harbour.example/og"],
        [ld({ mainEntityOfPage: { "@id": "https://harbour.example/ld" } }), "https://harbour.example/ld"]
      ]
    ],
    [
      "image",
      [
        [property("og:image", "/og.jpg"), "https://harbour.example/og.jpg"],
        [ld({ image: { url: "https://harbour.example/ld.jpg" } }), "https://harbour.example/ld.jpg"],
        [named("twitter:image", "/twitter.jpg"), "https://harbour.example/twitter.jpg"],
        [item("image", "/item.jpg"), "https://harbour.example/item.jpg"]
      ]
    ]
  ]

  for (const [field, sources] of precedence)
    for (const [index, [, expected]] of sources.entries())
      it(`${field}: ${expected} before what is weaker`, () => {
        // The weaker ones stand first: it is not the order in the page that decides.
        const parts = sources.slice(index).map(([part]) => part)
        expect(extract(head(...parts.reverse()))).toMatchObject({ [field]: expected })
      })

  it("several authors that microdata marks, each once", () => {
    const by = (name: string) => `<span itemprop="author"><b itemprop="name">${name}</b>, reporter</span>`
    expect(extract(`${by("Ines Calder")}${by("Tom Reed")}<p>Text.`).author).toBe("Ines Calder, Tom Reed")
  })

  it("decodes what was encoded twice, but not where references are the subject", () => {
    const titleOf = (title: string) => extract(`<title>${title}</title><p>Text.`).title
    expect(titleOf("Tom &amp;amp; Jerry&amp;#8217;s caf&amp;eacute;")).toBe("Tom & Jerry’s café")
    expect(titleOf("What &amp;amp; means in HTML")).toBe("What &amp; means in HTML")
    expect(titleOf("A &amp;lt;b&amp;gt; of mine")).toBe("A &lt;b&gt; of mine")
    expect(extract(head(ld({ headline: "Q&amp;A" }))).title).toBe("Q&A")
  })

  it("follows references of JSON-LD, in one script and across them, and takes none for a name", () => {
    const script = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
    const graph = script({
      "@graph": [
        { "@type": "Article", author: { "@id": "#me" }, publisher: { "@id": "/#org" } },
        { "@type": "Person", "@id": "#me", name: "Ines Calder" }
      ]
    })
    const organization = script({ "@type": "Organization", "@id": "/#org", name: "Harbour News" })
    expect(extract(head(graph, organization))).toMatchObject({ author: "Ines Calder", site_name: "Harbour News" })
    expect(extract(head(ld({ author: { "@id": "#nobody" } }), named("author", "Tom Reed"))).author).toBe("Tom Reed")
  })

  it("takes what JSON-LD says of this page, not of another that comes first", () => {
    const other = ld({ headline: "Other", url: "https://harbour.example/other", datePublished: "2001-01-01" })
    const own = ld({ headline: "Own", mainEntityOfPage: "http://www.harbour.example/stories/ferry#article" })
    const metadata = extract(head(other, ld({ headline: "Somewhere" }), own))
    expect(metadata).toMatchObject({ title: "Own", published: null })
    expect(extract(head(other, ld({ headline: "Somewhere" }))).title).toBe("Somewhere")
    expect(extract(head(other)).title).toBe("Other")
  })

  it("names each author once, without tags; no numbers; of a thread the one who began it", () => {
    expect(extract(head(ld({ author: [{ name: "Ann Lee" }, { name: "ann lee" }, "<a href=x>Bo</a>"] }))).author).toBe(
      "Ann Lee, Bo"
    )
    expect(extract(head(ld({ author: 7 }), named("author", "12"))).author).toBeNull()
    const post = (name: string) =>
      `<div itemprop=comment><b itemprop=author>${name}</b><p>I would ask those who know about it first of all.</p></div>`
    const thread = `<div itemscope itemtype="https://schema.org/DiscussionForumPosting">${["a", "b", "c"].map(post).join("")}</div>`
    expect(extract(thread, "html", "text", "https://harbour.example/t/9")).toMatchObject({
      author: "a",
      page_kind: "forum"
    })
  })

  it.each([
    ["2024-03-05T10:00:00+25:00", "2024-03-05"],
    ["2016-12-31T23:59:60Z", "2016-12-31"],
    ["0001-01-01T00:00:00Z", null],
    ["9999-01-01", null],
    ["0000", null],
    ["2024-03-05T10:00:00+0530", "2024-03-05T10:00:00+05:30"]
  ])("reads the date %s as %s", (given, expected) => {
    expect(extract(head(ld({ datePublished: given }))).published).toBe(expected)
  })

  it("takes the first time that is a date, and none of a comment", () => {
    const comment = `<ol class="comments"><li><time datetime="2019-01-01">then</time></ol>`
    const time = `<time datetime=PT5M>5 minutes</time><time datetime="2024-03-05">today</time>`
    expect(extract(`${comment}<p>Text.</p>${time}`).published).toBe("2024-03-05")
    expect(extract(`<p>Text.</p>${comment}`).published).toBeNull()
    expect(
      extract(`<p>Text.</p><div class=comment><i itemprop=datePublished>2019-01-01</i></div>`).published
    ).toBeNull()
  })

  it("believes what stands in the head, not in the text; canonical URLs have no fragment", () => {
    const told = `<link rel=canonical href="/other">${property("og:title", "Other")}${named("author", "Other")}`
    expect(extract(`<title>Own</title><main><p>Text.</p>${told}</main>`)).toMatchObject({
      title: "Own",
      author: null,
      canonical: null
    })
    expect(extract(head(`<link rel=canonical href="/own#part">`)).canonical).toBe("https://harbour.example/own")
  })

  it("has no characters that a reader cannot see, and tells of them", () => {
    const tags = [..."ignore this"].map((sign) => String.fromCodePoint(0xe0000 + (sign.codePointAt(0) ?? 0))).join("")
    const metadata = extract(head(`<title>A${tags} title</title>`, named("description", `Of\u202e it${tags}`)))
    expect(metadata).toMatchObject({ title: "A title", description: "Of it", hiddenText: true })
  })

  it("takes no address for an author, and no other scheme for a canonical URL", () => {
    const page = head(
      property("article:author", "https://harbour.example/ines"),
      `<link rel=canonical href="javascript:alert(1)">`,
      ld({ mainEntityOfPage: { name: "A page" } })
    )
    expect(extract(page)).toMatchObject({ author: null, canonical: null, modified: null })
  })

  it("counts the words of the whole text, the same in every format", () => {
    const page = "<main><p>Only <b>five</b> words of it.</p></main>"
    for (const format of ["text", "markdown", "html"] as const) expect(extract(page, "html", format).word_count).toBe(5)
    expect(extract("日本語の文章。", "plain").word_count).toBe(3)
    expect(extract("one two\n\nthree", "plain", "html").word_count).toBe(3)
  })

  it("tells the kind of a page, and none where there is nothing to tell it by", () => {
    const kindAt = (kind: string, path: string) =>
      extract(made(kind), "html", "text", `https://harbour.example${path}`).page_kind
    expect(kindAt("article", "/news/ferry")).toBe("article")
    expect(kindAt("documentation", "/docs/stations")).toBe("documentation")
    expect(kindAt("product", "/products/skua-20")).toBe("product")
    expect(kindAt("forum", "/threads/1204")).toBe("forum")
    expect(extract("<body></body>").page_kind).toBeNull()
    const prose =
      "<p>The keeper of the bees says that they fly out at dawn, and that they come home when it is cool.</p>"
    const plain = `<h1>Bees</h1>${prose.repeat(4)}`
    expect(extract(plain).page_kind).toBe("article")
    const kindOf = (type: string) =>
      extract(`${ld({ "@type": type })}${plain}`, "html", "text", "https://harbour.example/docs/x").page_kind
    expect(kindOf("NewsArticle")).toBe("article")
    expect(kindOf("QAPage")).toBe("forum")
    expect(kindOf("APIReference")).toBe("documentation")
    expect(extract("plain", "plain").page_kind).toBeNull()
  })
})
