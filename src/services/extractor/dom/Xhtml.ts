import { nodeBudget } from "./Parse.ts"

/** Void elements: HTML gives them no end tag. */
const voids = new Set(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split(" ")
)
/** Maximum replacements. The parser stops at this number of nodes, so later changes have no effect. */
const mostChanges = nodeBudget

const startTag = /<([A-Za-z_][\w:.-]*)(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/y

const withoutMarkup = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/**
 * Converts XHTML to equivalent HTML: self-closing elements get an end tag, and CDATA becomes text. Runs in one pass.
 * Stops at malformed XML or after `mostChanges` replacements, and returns the rest unchanged.
 */
export const htmlOfXhtml = (source: string): string => {
  let html = ""
  let written = 0
  let at = source.indexOf("<")
  const skipTo = (mark: string, from: number): number => {
    const end = source.indexOf(mark, from)
    return end < 0 ? -1 : end + mark.length
  }
  for (let changes = 0; at >= 0 && changes < mostChanges;) {
    let end: number
    if (source.startsWith("<!--", at)) end = skipTo("-->", at + 4)
    else if (source.startsWith("<![CDATA[", at)) {
      end = skipTo("]]>", at)
      if (end < 0) break
      html += source.slice(written, at) + withoutMarkup(source.slice(at + 9, end - 3))
      written = end
      changes++
    } else if (/[!?/]/.test(source.charAt(at + 1))) end = skipTo(">", at)
    else {
      startTag.lastIndex = at
      const [tag = "", name = ""] = startTag.exec(source) ?? []
      if (tag === "") break
      end = at + tag.length
      const isClosed = tag.endsWith("/>")
      if (isClosed && !voids.has(name.toLowerCase())) {
        html += `${source.slice(written, end - 2)}></${name}>`
        written = end
        changes++
      } else if (!isClosed && /^(?:script|style)$/i.test(name)) end = source.indexOf(`</${name}`, end)
    }
    if (end < 0) break
    at = source.indexOf("<", end)
  }
  return html + source.slice(written)
}
