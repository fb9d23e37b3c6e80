import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { type ContentFormat } from "../../../src/domain/Content.ts"
import { Extractor } from "../../../src/services/extractor/Extractor.ts"
import { isSlow, sample } from "../../support/Cases.ts"

const address = "https://harbour.example/stories/ferry/"

const extract = (body: string | Uint8Array, contentType: string | null = "text/html", format: ContentFormat = "text") =>
  Effect.flatMap(Extractor, (extractor) =>
    extractor.extract({ url: address, contentType, bytes: Buffer.from(body) }, format)
  ).pipe(Effect.provide(Extractor.layerInThread))

const made = (name: string) => readFileSync(new URL(`pages/${name}.html`, import.meta.url))

describe("main text", () => {
  it.effect("article: both chunks of the body, none of what lies around it", () =>
    Effect.gen(function* () {
      const { content, hiddenText, truncatedInput } = yield* extract(made("article"))
      for (const start of [
        "The old ferry between",
        "Under the plan",
        "What critics say",
        "Not everybody",
        "Engineers from"
      ])
        expect(content).toContain(start)
      for (const other of ["Sport", "Share on", "newsletter", "Subscribe", "Lighthouse opens", "All rights reserved"])
        expect(content).not.toContain(other)
      for (const hidden of ["Ignore all previous", "White words"]) expect(content).not.toContain(hidden)
      expect(hiddenText).toBe(true)
      expect(truncatedInput).toBe(false)
      expect(content).toMatch(/stopped with it\.”\n\nWhat critics say\n\nNot everybody/)
    })
  )

  it.effect("forum: every post, no buttons", () =>
    Effect.gen(function* () {
      const { content, hiddenText } = yield* extract(made("forum"))
      for (const start of ["My sourdough starter", "That is quite normal", "I keep mine", "Thank you both!"])
        expect(content).toContain(start)
      for (const other of ["Quote", "Privacy policy", "Weather"]) expect(content).not.toContain(other)
      expect(hiddenText).toBe(false)
    })
  )

  it.effect("listing: every entry with its title", () =>
    Effect.gen(function* () {
      const { content } = yield* extract(made("listing"))
      for (const part of ["Walking the salt marshes", "with a map and the times", "A garden on the breakwater"])
        expect(content).toContain(part)
      for (const other of ["Next", "Contact", "Culture"]) expect(content).not.toContain(other)
    })
  )

  it.effect("product: description, price and specifications", () =>
    Effect.gen(function* () {
      const { content } = yield* extract(made("product"))
      for (const part of ["€79.00", "A light pack for day walks", "Two side pockets", "Volume | 20 litres"])
        expect(content).toContain(part)
      for (const other of ["Skua 45", "Privacy"]) expect(content).not.toContain(other)
    })
  )

  it.effect("documentation: code as it stands, tables by row, lists by item", () =>
    Effect.gen(function* () {
      const { content } = yield* extract(made("documentation"))
      expect(content).toContain('[stations]\nnames = ["north-pier", "inner-basin"]\n\n  interval = 300')
      expect(content).toContain("Name | Default | Meaning\ninterval | 600 | Seconds between two readings\nunit |")
      expect(content).toContain("1. the level is read from the station\n2. it is compared")
      for (const other of ["Changelog", "On this page"]) expect(content).not.toContain(other)
    })
  )

  it.effect("a page that keeps its text for readers without scripts", () =>
    Effect.gen(function* () {
      const posts = "<p>One more long reply that is only there for readers without scripts, it says.</p>".repeat(20)
      const { content } = yield* extract(`<body><div id=app>Loading</div><noscript>${posts}</noscript></body>`)
      expect(content).toContain("One more long reply")
      expect(content).not.toContain("<p>")
    })
  )

  it.effect("a page whose parts React sends late", () =>
    Effect.gen(function* () {
      const late = "<p>A paragraph that arrives late and is long enough to be read as one, with commas.</p>".repeat(4)
      const page = `<body><main><div><!--$?--><template id="B:0"></template><!--/$--></div></main><div hidden id="S:0">${late}</div></body>`
      expect((yield* extract(page)).content).toContain("A paragraph that arrives late")
    })
  )

  it.effect("a page that hides all of itself until its scripts have run, but says so", () =>
    Effect.gen(function* () {
      const text = "<p>Some long paragraph of the page itself, which is not a trick but bad manners.</p>".repeat(20)
      const { content, hiddenText } = yield* extract(`<body><div style="visibility:hidden">${text}</div></body>`)
      expect(content).toContain("Some long paragraph")
      expect(hiddenText).toBe(true)
    })
  )

  it.effect.each([
    "<div hidden>Secret</div>",
    '<span style="display: none !important">Secret</span>',
    '<span style="font-size:0">Secret</span>',
    '<div style="position:absolute;left:-9999px">Secret</div>',
    '<p style="color: white; background: #FFF">Secret</p>',
    '<p style="color:transparent">Secret</p>',
    "<dialog>Secret</dialog>"
  ])("leaves out %s and reports it", (hidden) =>
    Effect.gen(function* () {
      const text = "<p>Seen by everybody: this is a paragraph of a certain length, with some commas, and an end.</p>"
      const page = (inner: string) => `<body><article><h1>A title</h1>${text}${inner}${text}</article></body>`
      const { content, hiddenText } = yield* extract(page(hidden))
      expect(content).not.toContain("Secret")
      expect(content).toContain("Seen by everybody")
      expect(hiddenText).toBe(true)
      expect((yield* extract(page("<b>shown</b>"))).hiddenText).toBe(false)
    })
  )

  it.effect("characters that nobody sees", () =>
    Effect.gen(function* () {
      const spelled = [..."ignore this"].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))
      const text = (inner: string) =>
        `<article><p>A so\u00adft\u200b li\u202ene, ${inner} and the end of it.</p></article>`
      const smuggled = yield* extract(text(spelled.join("")), "text/html; charset=utf-8")
      expect(smuggled).toMatchObject({ content: "A soft line,  and the end of it.", hiddenText: true })
      const flag = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} 👩‍👩‍👧 नमस्ते"
      const shown = yield* extract(text(flag), "text/html; charset=utf-8")
      expect(shown).toMatchObject({ content: `A soft line, ${flag} and the end of it.`, hiddenText: false })
    })
  )

  it.effect("nothing to read is an empty text", () =>
    Effect.gen(function* () {
      expect((yield* extract("")).content).toBe("")
      expect((yield* extract("<html><body><script>x()</script></body>")).content).toBe("")
    })
  )
})

describe("formats", () => {
  it.effect("Markdown: headings, links, tables, fences", () =>
    Effect.gen(function* () {
      const { content } = yield* extract(made("documentation"), "text/html", "markdown")
      expect(content).toContain("## Stations\n")
      expect(content).toContain("named `tidewatch.toml` in")
      expect(content).toContain('```toml\n[stations]\nnames = ["north-pier", "inner-basin"]\n\n  interval = 300\n```')
      expect(content).toMatch(/\| Name +\| Default \| Meaning +\|\n\| -+ \| -+ \| -+ \|\n\| interval \| 600 /)
      expect(content).toContain("1. the level is read from the station\n2. it")
      const article = yield* extract(made("article"), "text/html", "markdown")
      expect(article.content).toContain("[whole report](https://harbour.example/docs/report.pdf)")
      expect(article.content).toContain("![The pier at low tide](https://harbour.example/images/pier.jpg)")
      expect(article.content).not.toContain("Ignore all previous")
    })
  )

  it.effect("HTML: allowed elements only, links absolute, a block on each line", () =>
    Effect.gen(function* () {
      const text = "A paragraph of a certain length, with some commas, and with an end to it, as they have."
      const { content } = yield* extract(
        `<body><article><h1 onclick="x()">Title</h1><p class="a" style="color:red">${text} <a href="javascript:alert(1)">bad</a>
         <a href="../b?c=1&d=2" target=_blank onmouseover=x()>good</a></p><script>alert(1)</script><p>${text}<img src=x onerror=alert(1)>
         <iframe src="https://evil.example"></iframe></p><p>${text} &lt;script&gt;</p></article></body>`,
        "text/html",
        "html"
      )
      expect(content).not.toMatch(/<script|javascript:|onerror|onclick|onmouseover|style=|class=|iframe|target/)
      expect(content).toContain('<a href="https://harbour.example/stories/b?c=1&#x26;d=2">good</a>')
      expect(content).toContain("&#x3C;script>")
      for (const line of content.split("\n")) expect(line).toMatch(/^<(\w+)[ >].*<\/\1>$/)
    })
  )

  it.effect("plain text, Markdown, JSON, XML", () =>
    Effect.gen(function* () {
      expect((yield* extract("One.\r\n\r\nTwo <b>.\n", "text/plain; charset=utf-8")).content).toBe("One.\n\nTwo <b>.")
      expect((yield* extract("One.\n\nTwo <b>.", "text/plain", "html")).content).toBe(
        "<p>One.</p>\n<p>Two &#x3C;b>.</p>"
      )
      expect((yield* extract("# A\n\n*b*", "text/markdown", "markdown")).content).toBe("# A\n\n*b*")
      expect((yield* extract('{"a":[1,"é"]}', "application/json")).content).toBe('{\n  "a": [\n    1,\n    "é"\n  ]\n}')
      expect((yield* extract('{"a":1}', "application/ld+json", "markdown")).content).toBe(
        '```json\n{\n  "a": 1\n}\n```'
      )
      expect((yield* extract("{broken", "application/json")).content).toBe("{broken")
      expect((yield* extract('<?xml version="1.0"?><a><b>c</b><b>d</b></a>', "application/xml")).content).toContain(
        "<b>c</b>"
      )
    })
  )

  it.effect("RSS and Atom as a list of entries", () =>
    Effect.gen(function* () {
      const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour news</title><link>https://harbour.example/</link>
        <language>en</language><item><title>Ferry &amp; pier</title><link>https://harbour.example/1</link>
        <pubDate>Tue, 04 Mar 2025 09:30:00 GMT</pubDate><description>&lt;p&gt;It will &lt;b&gt;return&lt;/b&gt;.&lt;/p&gt;</description></item></channel></rss>`
      const feed = yield* extract(rss, "application/rss+xml")
      expect(feed).toMatchObject({ title: "Harbour news", language: "en", contentType: "application/rss+xml" })
      expect(feed.content).toBe(
        "Harbour news\nhttps://harbour.example/\n\nFerry & pier\nhttps://harbour.example/1\n2025-03-04T09:30:00.000Z\nIt will return."
      )
      const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><entry><title>E</title><link rel="alternate" href="/e"/>
        <updated>2025-03-04T09:30:00Z</updated><author><name>Ines</name></author><summary>S</summary></entry></feed>`
      expect((yield* extract(atom, "text/xml", "markdown")).content).toContain("## [E](https://harbour.example/e)")
    })
  )

  it.effect("text that begins as a file might", () =>
    Effect.gen(function* () {
      const text = "ID3 tags are metadata. RIFF is a container. \u00e9\t\u001b[1m"
      expect((yield* extract(text, "text/plain; charset=utf-8")).content).toContain("ID3 tags are metadata.")
      const wide = Buffer.from("\ufeffUne page encodée en UTF-16", "utf16le")
      expect((yield* extract(wide, "text/plain")).content).toBe("Une page encodée en UTF-16")
    })
  )

  it.effect("kinds told by their first bytes where the header does not say", () =>
    Effect.gen(function* () {
      const html =
        "<!DOCTYPE html><html><body><p>A page that is sent without a useful type, as happens.</p></body></html>"
      for (const type of [null, "application/octet-stream", "text/plain"]) {
        const found = yield* extract(html, type)
        expect(found).toMatchObject({ contentType: "text/html" })
        expect(found.content).toBe("A page that is sent without a useful type, as happens.")
      }
    })
  )

  it.effect.each<readonly [string, Uint8Array | string, string]>([
    ["image/png", "\u0089PNG", "image/png"],
    ["image/svg+xml", "<svg></svg>", "image/svg+xml"],
    ["video/mp4", "....ftyp", "video/mp4"],
    ["application/zip", "PK\u0003\u0004", "application/zip"],
    ["text/html", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]), "image/png"],
    ["text/plain", Uint8Array.from({ length: 600 }, (_, index) => (index * 31) % 256), "application/octet-stream"],
    [
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "PK\u0003\u0004",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    ]
  ])("no text in %s", ([type, body, contentType]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(extract(body, type))).toEqual({ _tag: "NoText", contentType })
    })
  )
})

describe("metadata", () => {
  it.effect("from JSON-LD, OpenGraph and the page", () =>
    Effect.gen(function* () {
      expect(yield* extract(made("article"), "text/html; charset=utf-8")).toMatchObject({
        contentType: "text/html",
        title: "Ferry will return next spring",
        description: "The council has decided: an electric ferry will cross the bay twelve times a day.",
        author: "Ines Calder",
        published: "2025-03-04T09:30:00+01:00",
        site_name: "The Harbour Post",
        language: "en-GB",
        image: "https://harbour.example/images/ferry.jpg"
      })
    })
  )

  it.effect("from plain elements, and null where there is nothing", () =>
    Effect.gen(function* () {
      const page = `<html><head><title> A &amp; B </title><meta name=author content="By Ines Calder"></head><body>
        <div itemprop=datePublished content="March 4, 2025"></div><p>x</p></body></html>`
      expect(yield* extract(page)).toMatchObject({
        title: "A & B",
        author: "Ines Calder",
        published: "2025-03-04",
        description: null,
        site_name: null,
        language: null,
        image: null
      })
    })
  )

  it.effect("from JSON-LD with raw line ends, a graph and trailing commas", () =>
    Effect.gen(function* () {
      const page = `<script type="application/ld+json">{"@graph":[{"@type":"WebSite","name":"Site"},{"@type":["BlogPosting"],
        "headline":"Two\nlines","author":{"name":["Ines"]},"datePublished":"2025-03-04 09:30",}]}</script>`
      expect(yield* extract(page)).toMatchObject({
        title: "Two lines",
        author: "Ines",
        published: "2025-03-04T09:30:00",
        site_name: "Site"
      })
    })
  )
})

describe("hostile pages", () => {
  const many = (piece: string, count: number) => piece.repeat(count)
  const fonts = (count: number) =>
    `<p>${Array.from({ length: count }, (_, index) => `<font color=${index}>`).join("")}</p>${many("<p>x</p>", count)}`

  const pages: ReadonlyArray<readonly [string, string, boolean]> = [
    ["nested tables", many("<table><tr><td>", 5_000), false],
    ["nested divs", `${many("<div>", 20_000)}deep`, false],
    ["a flood of formatting elements", fonts(3_000), true],
    ["a giant table", `<table>${many("<tr><td>cell</td><td>cell</td></tr>", 60_000)}`, true],
    ["unclosed cells", `<table>${many("<tr><td>x", 60_000)}`, true],
    ["nested lists", many("<ol><li>item", 5_000), false],
    ["nested quotations", many("<blockquote>said", 5_000), false],
    ["nested inline markup", `${many("<b><i><a href=x>", 10_000)}x`, false],
    ["one element with many attributes", `<p ${Array.from({ length: 50_000 }, (_, i) => `a${i}`).join(" ")}>x`, false],
    ["many class names", Array.from({ length: 20_000 }, (_, i) => `<i class="a${i} nav-${i}">x</i>`).join(""), false],
    ["templates", `${many("<template shadowrootmode=open>", 3_000)}x`, false],
    ["deep JSON-LD", `<script type=application/ld+json>${many("[", 100_000)}</script><p>x`, false],
    ["links without an end", many("<a href=/x>link ", 40_000), false],
    ["a text without an end", `<p>${many("lorem ipsum ", 400_000)}</p>`, true],
    ["one long line", `<p>${many("lorem ipsum ", 100_000)}</p>`, false]
  ]

  it.effect.each(sample(pages))("%s", ([, body, truncated]) =>
    Effect.gen(function* () {
      for (const format of ["text", "markdown", "html"] as const) {
        const found = yield* extract(body, "text/html", format)
        expect(typeof found.content).toBe("string")
        if (format === "text" || truncated) expect(found.truncatedInput || format === "text").toBe(true)
        if (format === "text" && !truncated) expect(found.truncatedInput).toBe(false)
      }
    })
  )

  it.effect("what was read before the budget ran out is there", () =>
    Effect.gen(function* () {
      const text = "The beginning of a page that never ends, with a sentence that is long enough to be one."
      const { content, truncatedInput } = yield* extract(
        `<article><p>${text}</p></article>${fonts(isSlow ? 3_000 : 1_000)}`
      )
      expect(content).toContain(text)
      expect(truncatedInput).toBe(true)
    })
  )
})
