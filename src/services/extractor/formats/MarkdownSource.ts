import { Either } from "effect"
import { defaultSchema } from "hast-util-sanitize"
import MarkdownIt from "markdown-it"
import { html } from "parse5"
import { type IsTimeUp } from "../dom/TimeLimit.ts"

/** A Markdown document rendered as HTML. */
export interface MarkdownPage {
  readonly html: string
  /** The source contains comments, which only readers of the source see. */
  readonly hasComments: boolean
}

/** HTML elements that neither library lists. */
const others = "abbr audio bdo canvas data datalist legend map mark meter output picture progress slot time video"

/**
 * Elements whose content browsers read as text or do not show. A start tag within a text would end the document there.
 */
const rawTextElements = new Set(
  "iframe noembed noframes noscript plaintext script select style template textarea title xmp".split(" ")
)
const elements = new Set(
  [...Object.values(html.TAG_NAMES), ...(defaultSchema.tagNames ?? []), ...others.split(" ")]
    .map((name) => name.toLowerCase())
    .filter((name) => !rawTextElements.has(name))
)

/**
 * Returns the name of the tag at the start of the source: "" for comments and declarations, null when it is not an HTML
 * element.
 */
const nameOf = (source: string): string | null => {
  if (/^\s*<[!?]/.test(source)) return ""
  const name = /^\s*<\/?([a-z][\w-]*|[A-Z][A-Z0-9]*)[\s/>]/.exec(source)?.[1]?.toLowerCase() ?? null
  return name !== null && (elements.has(name) || rawTextElements.has(name)) ? name : null
}

/** YAML or TOML front matter, as used by site generators and packages. */
const frontMatter = /^(---|\+\+\+)[ \t]*\n((?:(?!---|\+\+\+)[^\n]*\n){0,200})\1[ \t]*(?:\n|$)/
const setting = /^(title|description|author|date|lang(?:uage)?)[ \t]*[:=][ \t]*(\S[^\n]*)$/gm

const settingsOf = (source: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(source.matchAll(setting), ([, name = "", value = ""]) => [
      name,
      value.trim().replace(/^(["'])(.*)\1$/, "$2")
    ])
  )

class TimeIsUp extends Error {}

/** Number of rules tried between two checks of the time limit. */
const rulesUnwatched = 64

const footnote = /^\[\^[^\]\s]{1,100}\]:/

const makeReader = (isTimeUp: IsTimeUp, onComment: () => void): InstanceType<typeof MarkdownIt> => {
  const reader = new MarkdownIt({ html: true })
  // Links are validated when the page is built.
  reader.validateLink = () => true
  reader.normalizeLink = (url) => url
  reader.normalizeLinkText = (text) => text
  let rules = 0
  const watch = () => {
    if (++rules % rulesUnwatched === 0 && isTimeUp()) throw new TimeIsUp()
    return false
  }
  reader.block.ruler.before("table", "watch", watch)
  reader.inline.ruler.before("text", "watch", watch)
  reader.core.ruler.after("block", "watch", () => {
    if (isTimeUp()) throw new TimeIsUp()
  })
  // CommonMark parses a footnote of one word as a link reference definition.
  reader.block.ruler.before("reference", "footnote", (state, start, end, silent) => {
    const lineAt = (line: number) =>
      state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
    if (!footnote.test(lineAt(start))) return false
    if (silent) return true
    let next = start + 1
    while (next < end && !state.isEmpty(next) && !footnote.test(lineAt(next))) next++
    state.line = next
    state.push("paragraph_open", "p", 1).map = [start, next]
    const inline = state.push("inline", "", 0)
    inline.content = state.getLines(start, next, state.blkIndent, false).trim()
    inline.map = [start, next]
    inline.children = []
    state.push("paragraph_close", "p", -1)
    return true
  })
  const { escapeHtml } = reader.utils
  reader.renderer.rules["html_inline"] = (tokens, index) => {
    const content = tokens[index]?.content ?? ""
    if (content.startsWith("<!--")) onComment()
    const name = nameOf(content)
    return name === null || rawTextElements.has(name) ? escapeHtml(content) : content
  }
  reader.renderer.rules["html_block"] = (tokens, index) => {
    const content = tokens[index]?.content ?? ""
    if (content.includes("<!--")) onComment()
    const name = nameOf(content)
    if (name !== null && rawTextElements.has(name) && content.toLowerCase().includes(`</${name}`)) return ""
    return name === null || rawTextElements.has(name) ? `<p>${escapeHtml(content)}</p>\n` : content
  }
  return reader
}

/**
 * Renders Markdown (CommonMark with GFM tables and strikethrough) as HTML, including its own HTML. The result is not
 * sanitised: extract it like any page, and never return it as it is. Tags that HTML does not know become text, as in
 * `List<String>`. Front matter is rendered in the head and as code. Returns null when the time limit is reached.
 */
export const markdownPage = (source: string, isTimeUp: IsTimeUp): MarkdownPage | null => {
  let hasComments = false
  const reader = makeReader(isTimeUp, () => {
    hasComments = true
  })
  const { escapeHtml } = reader.utils
  const [matter = "", , front = ""] = frontMatter.exec(source) ?? []
  const settings = settingsOf(front)
  const read = Either.try({
    try: () => {
      const tokens = reader.parse(source.slice(matter.length), {})
      const headings = tokens.flatMap((token, index) => (token.type === "heading_open" ? [index] : []))
      const heading = headings.find((index) => tokens[index]?.tag === "h1") ?? headings[0] ?? -2
      const title = (tokens[heading + 1]?.children ?? []).map(({ content, type }) =>
        type === "text" || type === "code_inline" ? content : type === "softbreak" ? " " : ""
      )
      return { body: reader.renderer.render(tokens, reader.options, {}), title: title.join("") }
    },
    catch: (thrown) => thrown
  })
  if (Either.isLeft(read)) {
    if (read.left instanceof TimeIsUp) return null
    throw read.left
  }
  const meta = (name: string, value: string | undefined) =>
    value === undefined ? "" : `<meta name="${name}" content="${escapeHtml(value)}">`
  const language = settings.get("lang") ?? settings.get("language")
  const head = [
    `<title>${escapeHtml(settings.get("title") ?? read.right.title)}</title>`,
    meta("description", settings.get("description")),
    meta("author", settings.get("author")),
    meta("date", settings.get("date"))
  ]
  const code = front.trim() === "" ? "" : `<pre><code class="language-${matter.startsWith("+") ? "toml" : "yaml"}">`
  return {
    html: `<!doctype html><html${language === undefined ? "" : ` lang="${escapeHtml(language)}"`}><head>${head.join("")}</head><body>${code === "" ? "" : `${code}${escapeHtml(front)}</code></pre>`}${read.right.body}</body></html>`,
    hasComments
  }
}
