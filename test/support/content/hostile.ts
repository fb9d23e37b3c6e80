import { deflateSync } from "node:zlib"

const mebibyte = 1024 * 1024

/** Pieces made by their number, until together they have so many characters. */
const filled = (characters: number, piece: (index: number) => string): string => {
  const pieces: Array<string> = []
  for (let index = 0, length = 0; length < characters; index++) {
    const next = piece(index)
    if (length + next.length > characters && index > 0) break
    pieces.push(next)
    length += next.length
  }
  return pieces.join("")
}

const most = 10 * mebibyte - 200
const sentence = "The tide turns at the harbour wall and the boats turn with it. "
const pageOf = (body: string, head = "") => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

const fontFlood = (count: number) =>
  `<p>${Array.from({ length: count }, (_, index) => `<font color=c${index}>`).join("")}</p>${"<p>x</p>".repeat(count)}`

export interface HostilePage {
  readonly contentType: string
  readonly body: () => string | Buffer
}

const html = (body: () => string): HostilePage => ({ contentType: "text/html; charset=utf-8", body })
const other = (contentType: string, body: () => string): HostilePage => ({ contentType, body })

const pdfObject = (number: number, dictionary: string, content?: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${number} 0 obj <<${dictionary}`),
    content === undefined
      ? Buffer.from(">> endobj\n")
      : Buffer.concat([
          Buffer.from(`/Length ${content.length}>>stream\n`),
          content,
          Buffer.from("\nendstream endobj\n")
        ])
  ])

/** A PDF of one page that draws this, packed or not. */
const pdfOf = (content: () => Buffer, contents = "4 0 R", isPacked = true): HostilePage => ({
  contentType: "application/pdf",
  body: () =>
    Buffer.concat([
      Buffer.from("%PDF-1.7\n"),
      pdfObject(1, "/Type/Catalog/Pages 2 0 R"),
      pdfObject(2, "/Type/Pages/Count 1/Kids[3 0 R]"),
      pdfObject(
        3,
        `/Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>/Contents ${contents}`
      ),
      pdfObject(4, isPacked ? "/Filter/FlateDecode" : "", isPacked ? deflateSync(content()) : content()),
      pdfObject(5, "/Type/Font/Subtype/Type1/BaseFont/Helvetica"),
      Buffer.from("trailer<</Root 1 0 R>>\n%%EOF")
    ])
})
const pdfText = "BT /F1 9 Tf 50 700 Td (A word of it) Tj ET "

/**
 * Documents made to stall or swell whoever reads them, within the 10 MiB that are fetched. The first four are those
 * that the project's notes name as what others fall over.
 */
export const hostilePages: Readonly<Record<string, HostilePage>> = {
  "nested-divs": html(() => pageOf("<div>".repeat(10_000) + sentence.repeat(9))),
  "fonts-1000": html(() => fontFlood(1_000)),
  "fonts-3000": html(() => fontFlood(3_000)),
  "table-10mb": html(() => `<table>${filled(most, (index) => `<tr><td>${index}<td>${sentence}`)}</table>`),
  "nested-divs-10mb": html(() => "<div>".repeat(most / 5)),
  "deep-with-paragraphs": html(() => "<div>".repeat(9_000) + "<p>".repeat(130_000)),
  "unclosed-everything": html(() =>
    filled(most, (index) => `<${["b", "i", "div", "li", "a"][index % 5]} id=x${index}>y`)
  ),
  "fonts-everywhere": html(() => filled(most, (index) => `<p><font size=${index}><b class=a${index}>word`)),
  misnested: html(() => filled(most, () => "<a><b><i></a><p></b>t</p></i><table><a>x</table>")),
  "nested-tables": html(() => "<table><tr><td>".repeat(200_000)),
  "foster-parented": html(() => `<table>${filled(4 * mebibyte, (index) => `<b>${index}</b>text<tr>`)}`),
  "wide-spans": html(() => `<table>${"<tr><td colspan=1000 rowspan=65534>a<td colspan=1000>b".repeat(60_000)}</table>`),
  "one-tag-of-attributes": html(() => `<p ${filled(most, (index) => `a${index.toString(36)} `)}>text`),
  "attributes-everywhere": html(() => filled(most, (index) => `<i a b c d e f g h=${index} j k l m n>x`)),
  "long-attribute": html(() => `<p title="${"&amp; ".repeat(most / 6)}">text</p>`),
  "long-comment": html(() => `<!--${"- -".repeat(most / 3)}`),
  "text-10mb": html(() => pageOf(sentence.repeat(most / sentence.length - 5))),
  "paragraphs-10mb": html(() => pageOf(filled(most - 200, () => `<p>${sentence.repeat(3)}`))),
  "short-paragraphs": html(() => pageOf(filled(most - 200, (index) => `<p>${index} is a word`))),
  "links-10mb": html(() => pageOf(filled(most - 200, (index) => `<li><a href="/${index}">go to ${index}</a>`))),
  "lists-in-lists": html(() => `<ul>${"<li>one<ul>".repeat(100_000)}`),
  "quotes-in-quotes": html(() => filled(2 * mebibyte, () => `<blockquote><p>${sentence}</p>`)),
  "inline-in-inline": html(() => filled(3 * mebibyte, (index) => `<span class=s${index % 7}>word `)),
  styles: html(() => filled(most, (index) => `<p style="color:#${index};display:block;font-size:${index}px">word`)),
  "hidden-in-hidden": html(() => filled(3 * mebibyte, () => "<div hidden><p style=display:none>word")),
  entities: html(() => `<p>${"&notin;&#x1F6A2;&CounterClockwiseContourIntegral;".repeat(180_000)}`),
  templates: html(() => "<template>".repeat(100_000) + "text"),
  "select-options": html(() => `<select>${"<option>one".repeat(300_000)}</select><p>${sentence.repeat(5)}`),
  "svg-and-math": html(() => filled(4 * mebibyte, () => "<svg><g><foreignObject><math><mi><p>x")),
  "json-ld": html(() =>
    pageOf(
      `<p>${sentence.repeat(9)}`,
      `<script type="application/ld+json">${"[".repeat(500_000)}${'{"a":'.repeat(500_000)}</script>`
    )
  ),
  "json-ld-many": html(() =>
    pageOf(
      `<p>${sentence.repeat(9)}`,
      filled(
        8 * mebibyte,
        (index) => `<script type="application/ld+json">{"@type":"Article","headline":"${index}"}</script>`
      )
    )
  ),
  metas: html(() =>
    pageOf(
      `<p>${sentence.repeat(9)}`,
      filled(8 * mebibyte, (index) => `<meta property="og:title" content="${index}">`)
    )
  ),
  "white-space": html(() => `<pre>a${" \n".repeat(most / 2 - 10)}b</pre><p>${sentence}`),
  "no-break": html(() => `<p>${"a".repeat(most - 10)}`),
  "combining-marks": html(() => `<p>a${"\u0301".repeat(most / 2 - 10)}`),
  "nul-characters": html(() => `<p>text ${"\u0000".repeat(most - 20)}`),
  "pre-lines": html(() => `<pre>${filled(most - 10, (index) => `${index}\n`)}</pre>`),
  breaks: html(() => `<p>${"word<br>".repeat(most / 8 - 2)}`),
  images: html(() => `<p>${sentence}${'<img src="a.png" alt="a word">'.repeat(300_000)}<p>${sentence}`),
  noscript: html(() => `<script></script><noscript>${"<p>word</p>".repeat(700_000)}</noscript>`),
  headings: html(() => filled(most, (index) => `<h${(index % 6) + 1}>Heading ${index}</h${(index % 6) + 1}>`)),
  "plain-10mb": other("text/plain", () => sentence.repeat(most / sentence.length - 1)),
  "plain-lines": other("text/plain", () => filled(most, (index) => `${index}\n\n`)),
  "plain-numbered": other("text/plain", () => filled(most, (index) => `${index}. a_b*c\n`)),
  "markdown-10mb": other("text/markdown", () =>
    filled(most, (index) => `# ${index}\n\n[a](<b ${index}) ![c](d) <e> \`f\n\n`)
  ),
  "bare-addresses": html(() => `<p>${"http://www.a@b.".repeat(500_000)}</p>`),
  "marks-of-markdown": html(() => `<p>${sentence}${"*_`[]()#~|<>\\ ".repeat(700_000)}</p>`),
  "runs-of-backticks": html(() => filled(2 * mebibyte, (index) => `<code>${"`".repeat(index % 500)}</code> a `)),
  "long-base": html(() =>
    pageOf(`<p>${'<a href="x">w</a> y '.repeat(90_000)}`, `<base href="http://a.example/${"x/".repeat(500_000)}">`)
  ),
  "long-address": html(() => `<p>${sentence}<a href="/${"(".repeat(6_000_000)}">x</a>`),
  "plain-returns": other("text/plain", () => "\r".repeat(most)),
  "markdown-definitions": other("text/markdown", () => "[a]: ".repeat(1_000_000)),
  "markdown-backticks": other("text/markdown", () => filled(6_000_000, (index) => `${"`".repeat(index % 700)} `)),
  "markdown-emphasis": other("text/markdown", () => "*a _b ".repeat(1_000_000)),
  "markdown-table": other("text/markdown", () => `${"|a".repeat(mebibyte)}\n${"|-".repeat(mebibyte)}`),
  "markdown-links": other("text/markdown", () => "[a](b) ".repeat(mebibyte)),
  "xhtml-tags": other("application/xhtml+xml", () => '<a b="'.repeat(most / 6)),
  "xhtml-self-closed": other("application/xhtml+xml", () => `<html>${"<p/>".repeat(most / 4 - 5)}</html>`),
  "feed-bases": other(
    "application/atom+xml",
    () => `<feed>${filled(most, (index) => `<entry xml:base="${"x/".repeat(500)}"><link href="${index}"/>`)}</feed>`
  ),
  "markdown-brackets": other("text/markdown", () => "[".repeat(3 * mebibyte) + "](".repeat(mebibyte)),
  "json-arrays": other("application/json", () => "[".repeat(5 * mebibyte) + "]".repeat(5 * mebibyte - 300)),
  "json-flat": other("application/json", () => `[${"{},".repeat(most / 3 - 10)}{}]`),
  "json-numbers": other("application/json", () => `[${"1,".repeat(most / 2 - 10)}1]`),
  "json-keys": other("application/json", () => `{${filled(most - 20, (index) => `"k${index}":${index},`)}"z":1}`),
  "xml-flat": other("application/xml", () => `<?xml version="1.0"?><r>${"<a/>".repeat(most / 4 - 20)}</r>`),
  "xml-deep": other("application/xml", () => `<?xml version="1.0"?>${"<a>".repeat(most / 3 - 20)}`),
  "xml-entities": other(
    "application/xml",
    () =>
      `<?xml version="1.0"?><!DOCTYPE r [${filled(mebibyte, (index) => `<!ENTITY e${index + 1} "&e${index};&e${index};">`)}]><r>&e40;</r>`
  ),
  "feed-items": other(
    "application/rss+xml",
    () =>
      `<rss><channel><title>F</title>${filled(most - 99, (index) => `<item><title>${index}</title><description>&lt;p&gt;${sentence}</description></item>`)}</channel></rss>`
  ),
  "feed-one-item": other(
    "application/rss+xml",
    () =>
      `<rss><channel><title>F</title><item><description>${"&lt;b&gt;x".repeat(most / 10)}</description></item></channel></rss>`
  ),
  "feed-deep": other("application/atom+xml", () => `<feed>${"<entry><title>".repeat(most / 14 - 1)}`),
  "pdf-bomb": pdfOf(() => Buffer.concat([Buffer.from(`${pdfText}BT `), Buffer.alloc(256 * mebibyte, "(a) Tj ET BT ")])),
  "pdf-string": pdfOf(() => Buffer.concat([Buffer.from(`${pdfText}BT (`), Buffer.alloc(30 * mebibyte, "a")])),
  "pdf-open-strings": pdfOf(() => Buffer.from(`${pdfText}${"(".repeat(20 * mebibyte)}`)),
  "pdf-saves": pdfOf(() => Buffer.from(`${pdfText}${"q ".repeat(5 * mebibyte)}`)),
  "pdf-saves-plain": pdfOf(() => Buffer.from(`${pdfText}${"q ".repeat(4 * mebibyte)}`), "4 0 R", false),
  "pdf-many-contents": pdfOf(() => Buffer.alloc(3 * mebibyte, pdfText), `[${"4 0 R ".repeat(1_000)}]`)
}
