import { describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { type ContentFormat } from "../../../src/domain/Content.ts"
import { extractText } from "../../../src/services/Extractor/PlainDocument.ts"

const extract = (
  source: string,
  kind: "html" | "plain" = "html",
  format: ContentFormat = "text",
  url = "https://harbour.example/stories/ferry/"
) => extractText(source, kind, url, format)

const made = (name: string) => readFileSync(new URL(`pages/${name}.html`, import.meta.url), "utf8")

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
    expect(extract("plain", "plain").page_kind).toBeNull()
  })
})
