import { codePointCount, codePointsOn, cutBefore, type Trimmed } from "./Trim.ts"

interface Open {
  readonly name: string
  readonly tag: string
  /** Whether the piece contains the tag. A tag that leaves no space for text is omitted. */
  readonly kept: boolean
}

interface Cut {
  readonly content: string
  readonly end: number
}

const tagPattern = () => /<(\/?)([a-z][a-z0-9]*)(?:"[^"]*"|[^">])*>/g
const voidNames = new Set(["br", "img", "hr"])
const blockNames = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr caption pre blockquote figure figcaption hr".split(
    " "
  )
)

/**
 * Content that a piece does not begin with: white space, and end tags of elements that the previous piece has closed.
 */
const skippedPrefix = /^(?:\s+|<\/[a-z][a-z0-9]*>)*/u

const closing = (name: string) => `</${name}>`
const weight = ({ name, tag }: Open) => codePointCount(tag) + name.length + 3

const closingAll = (stack: ReadonlyArray<Open>): string =>
  stack.reduceRight((text, { name, kept }) => (kept ? text + closing(name) : text), "")

/** Selects the elements to reopen at the start of a piece: the innermost ones that together use at most half of it. */
const reopened = (stack: ReadonlyArray<Open>, maxLength: number): Array<Open> => {
  let room = maxLength / 2
  return stack
    .map((open) => open)
    .reduceRight<Array<Open>>((kept, open) => {
      room -= weight(open)
      return [{ ...open, kept: room >= 0 }, ...kept]
    }, [])
}

const beforeEntity = (html: string, from: number, limit: number): number => {
  const ampersand = html.lastIndexOf("&", limit - 1)
  return ampersand >= from && limit - ampersand <= 12 && !html.slice(ampersand, limit).includes(";") ? ampersand : limit
}

/** Reads one piece of well-formed HTML, tag by tag. */
class Reader {
  private stack: Array<Open> = []
  private content = ""
  private used = 0
  private closers = 0
  private isEmpty = true
  private afterTopLevel: Cut | null = null
  private afterNested: Cut | null = null
  private readonly html: string
  private readonly maxLength: number

  constructor(html: string, maxLength: number) {
    this.html = html
    this.maxLength = maxLength
  }

  private fits(cost: number) {
    return this.used + this.closers + cost <= this.maxLength
  }

  private add(text: string) {
    this.content += text
    this.used += codePointCount(text)
    if (text.trim() !== "") this.isEmpty = false
  }

  private pass(name: string, isEnd: boolean, tag: string, kept: boolean) {
    if (voidNames.has(name)) return
    if (isEnd) this.stack.pop()
    else this.stack.push({ name, tag, kept })
  }

  private cutText(from: number, to: number): Cut | null {
    const limit = codePointsOn(this.html, from, this.maxLength - this.used - this.closers)
    const end = cutBefore(this.html, from, Math.min(to, beforeEntity(this.html, from, limit)))
    return end > from
      ? { content: this.content + this.html.slice(from, end).trimEnd() + closingAll(this.stack), end }
      : null
  }

  private endTag(name: string, tag: string, end: number) {
    const open = this.stack.pop()
    if (open?.kept === true) {
      this.closers -= tag.length
      this.add(tag)
    }
    this.mark(name, end)
  }

  private mark(name: string, end: number) {
    if (!blockNames.has(name) || this.isEmpty) return
    if (this.stack.length === 0) this.afterTopLevel = { content: this.content, end }
    else this.afterNested = { content: this.content + closingAll(this.stack), end }
  }

  private best(fallback: Cut): Cut {
    return this.afterTopLevel ?? this.afterNested ?? fallback
  }

  read(start: number): Cut {
    const tags = tagPattern()
    let at = 0
    for (let match = tags.exec(this.html); match !== null; match = tags.exec(this.html)) {
      const [tag, slash = "", name = ""] = match
      const end = match.index + tag.length
      if (end <= start || (match.index < start && end > start)) {
        this.pass(name, slash !== "", tag, true)
        at = end
        continue
      }
      this.begin()
      const from = Math.max(at, start)
      const text = this.html.slice(from, match.index)
      if (!this.fits(codePointCount(text))) return this.best(this.cutText(from, match.index) ?? this.stop(from))
      this.add(text)
      at = end
      if (slash !== "") {
        this.endTag(name, tag, end)
        continue
      }
      const isVoid = voidNames.has(name)
      const fits = this.fits(codePointCount(tag) + (isVoid ? 0 : name.length + 3))
      if (!fits && !this.isEmpty) return this.best(this.stop(match.index))
      this.pass(name, false, tag, fits)
      if (!fits) continue
      this.content += tag
      this.used += codePointCount(tag)
      if (isVoid) {
        this.isEmpty = false
        this.mark(name, end)
      } else this.closers += name.length + 3
    }
    this.begin()
    const from = Math.max(at, start)
    const rest = this.html.slice(from)
    if (!this.fits(codePointCount(rest))) return this.best(this.cutText(from, this.html.length) ?? this.stop(from))
    return { content: this.content + rest, end: this.html.length }
  }

  private stop(end: number): Cut {
    return { content: this.content.trimEnd() + closingAll(this.stack), end }
  }

  private begun = false
  private begin() {
    if (this.begun) return
    this.begun = true
    this.stack = reopened(this.stack, this.maxLength)
    for (const open of this.stack) {
      if (!open.kept) continue
      this.content += open.tag
      this.used += codePointCount(open.tag)
      this.closers += open.name.length + 3
    }
  }
}

/**
 * Same as `trim`, for well-formed HTML without comments. A piece ends after the last top-level block that fits, else
 * after a nested block, else inside the text. In the last two cases, the open elements are closed, and reopened at the
 * start of the next piece, so that every piece is balanced. A tag that is too long for any piece is omitted.
 */
export const trimHtml = (whole: string, offset: number, maxLength: number): Trimmed => {
  const contentLength = codePointCount(whole)
  if (offset >= contentLength) return { content: "", contentLength, returnedLength: 0, nextOffset: null }
  const start = codePointsOn(whole, 0, offset)
  const { content, end } = new Reader(whole, maxLength).read(start)
  const next = end + (skippedPrefix.exec(whole.slice(end))?.[0].length ?? 0)
  return {
    content,
    contentLength,
    returnedLength: codePointCount(content),
    nextOffset: next >= whole.length ? null : offset + codePointCount(whole, start, next)
  }
}
