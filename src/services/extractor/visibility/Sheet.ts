import { classesLooked, matches, type Selector, simple, subject, uponAction } from "./Selector.ts"
import { noStyle, type Style, styleOf } from "./Style.ts"
import { type TreeNode } from "../dom/Tree.ts"

/**
 * The declarations that a page's own style sheets make for its elements. Only selectors that can be checked on the
 * element alone are matched exactly.
 */
export interface Sheet {
  readonly declaredFor: (node: TreeNode) => Declared
  /** All rules that set colours are known. */
  readonly isWhole: boolean
  readonly isEmpty: boolean
}

export interface Declared {
  readonly normal: Style
  readonly important: Style
}

export const undeclared: Declared = { normal: noStyle, important: noStyle }

const ruleBudget = 5_000
/** Maximum `class` attribute values whose rules are cached. */
const namesKept = 3_000
/** Maximum rules kept for one id, class or tag. */
const rulesOfName = 40

/** Properties that can hide text. */
const telling =
  /^(?:display|visibility|content-visibility|opacity|filter|font|font-size|(?:max-|min-)?(?:height|width|block-size|inline-size)|overflow(?:-[xy])?|position|left|right|top|bottom|inset(?:-[a-z-]+)?|text-indent|margin-(?:left|top)|padding(?:-(?:top|bottom))?|transform|translate|scale|clip|clip-path|color|background|background-(?:color|image)|(?:-webkit-)?(?:background-clip|text-fill-color)|letter-spacing|text-shadow|transition(?:-[a-z]+)?|(?:-webkit-)?animation(?:-name)?|contain)$/
const paints = /^(?:color|background|background-color|background-image|-webkit-text-fill-color)$/

interface Rule {
  readonly selector: Selector
  /** Specificity, then order. */
  readonly weight: number
  readonly declared: Declared
  /**
   * The rule depends on conditions that cannot be checked. It is not applied, but it removes different values that
   * other rules set for its properties.
   */
  readonly isDoubtful: boolean
}

const weightOf = ({ attributes, classes, id, tag }: Selector, order: number): number =>
  ((id === "" ? 0 : 10_000) + (classes.length + attributes.length) * 100 + (tag === "" ? 0 : 1)) * ruleBudget + order

/**
 * Splits the declarations that can hide text into normal and important ones. Only declarations that match `tells` are
 * read.
 */
const declaredIn = (source: string, tells: RegExp): Declared => {
  const normal = new Map<string, string>()
  const important = new Map<string, string>()
  const plain: Array<string> = []
  for (const declaration of source.split(";")) {
    if (!tells.test(declaration)) continue
    if (!declaration.includes("!")) plain.push(declaration)
    else for (const [name, value] of styleOf(declaration)) if (telling.test(name)) important.set(name, value)
  }
  for (const [name, value] of styleOf(plain.join(";"))) if (telling.test(name)) normal.set(name, value)
  return { normal, important }
}

/** Matches declarations that may hide or show text. */
const mayTell =
  /display|visib|opacity|font|height|width|left|right|top|bottom|inset|indent|margin|transform|translate|scale|clip|color|background|spacing|-size|filter|contain/i

/** Ways to hide text in partial sheets, each with the declarations that are needed to judge it. */
const hiding: ReadonlyArray<readonly [way: RegExp, judgedBy: string]> = [
  [/display\s*:\s*none/i, "display"],
  [/visibility\s*:\s*(?:hidden|collapse)/i, "visib"],
  [/(?:height|width|-size)\s*:\s*[01](?:\.\d*)?(?:[a-z%]{1,3})?\s*[;}!]/i, "height|width|-size|overflow|padding"],
  [/-\d{3}|\d{4}(?:px|%)|calc\(/i, "left|right|top|bottom|inset|indent|margin|position|transform|translate"],
  [/(?:scale\w*|matrix)\s*[:(]\s*0|rotate[xy]/i, "transform|scale"],
  [/clip\s*:\s*rect|contain\s*:|content-visibility/i, "clip|contain"]
]

/**
 * Returns a pattern for the declarations of partial sheets that may hide text, or show text that other declarations
 * hide. Returns null when no declaration hides text.
 */
const partlyTells = (sources: ReadonlyArray<string>): RegExp | null => {
  const judged = hiding.flatMap(([way, by]) => (sources.some((source) => way.test(source)) ? [by] : []))
  return judged.length === 0 ? null : new RegExp(judged.join("|"), "i")
}

/** Returns the end of a declaration block that begins at `from`. Skips nested blocks. */
const endOfBlock = (source: string, from: number): number => {
  const mark = /[{}"']/g
  mark.lastIndex = from
  let depth = 0
  for (let found = mark.exec(source); found !== null; found = mark.exec(source)) {
    if (found[0] === "{") depth++
    else if (found[0] !== "}") mark.lastIndex = endOfString(source, found.index)
    else if (depth-- === 0) return found.index
  }
  return source.length
}

/**
 * Returns the offset after the string that begins here. When the string does not end on its line, returns the offset
 * after its opening quotation mark.
 */
const endOfString = (source: string, at: number): number => {
  const end = source.indexOf(source[at] ?? "", at + 1)
  return end < 0 || source.slice(at, end).includes("\n") ? at + 1 : end + 1
}

/** At-rules that apply to every screen. */
const unconditional = /^@media\s+(?:only\s+)?(?:all|screen)$/i
/** At-rules whose blocks contain no style rules. */
const withoutRules = /^@(?:font-face|page|property|counter-style|(?:-[a-z]+-)?keyframes)\b/i

const noRules: ReadonlyArray<Rule> = []

class Rules {
  isWhole: boolean
  private readonly tells: RegExp
  private readonly byId = new Map<string, Array<Rule>>()
  private readonly byClass = new Map<string, Array<Rule>>()
  private readonly byTag = new Map<string, Array<Rule>>()
  private readonly universal: Array<Rule> = []
  /** Rules that have attribute tests, but neither id nor class. */
  private readonly tested: Array<Rule> = []
  private count = 0
  /** Cache by `class` attribute value. */
  private readonly ofClasses = new Map<string, Named>()

  constructor(tells: RegExp, isPartial: boolean) {
    this.isWhole = !isPartial
    this.tells = tells
  }

  get isEmpty(): boolean {
    return this.count === 0
  }

  private keep(list: Array<Rule>, rule: Rule) {
    if (list.length < rulesOfName) list.push(rule)
    else this.isWhole = false
  }

  private index(rule: Rule) {
    const { attributes, classes, id, tag } = rule.selector
    const under = (map: Map<string, Array<Rule>>, key: string) => {
      const list = map.get(key) ?? []
      map.set(key, list)
      this.keep(list, rule)
    }
    const last = classes.at(-1)
    if (id !== "") under(this.byId, id)
    else if (last !== undefined) under(this.byClass, last)
    else if (attributes.length > 0) this.keep(this.tested, rule)
    else if (tag !== "") under(this.byTag, tag)
    else this.keep(this.universal, rule)
  }

  private add(selectors: string, source: string, isConditional: boolean) {
    if (this.count > ruleBudget || !this.tells.test(source)) return
    const declared = declaredIn(source, this.tells)
    const names = [...declared.normal.keys(), ...declared.important.keys()]
    if (names.length === 0) return
    const isPaint = names.some((name) => paints.test(name))
    for (const given of selectors.split(",", ruleBudget)) {
      const selector = given.trim().slice(0, 300)
      if (selector === "" || uponAction.test(selector)) continue
      const exact = isConditional ? null : simple(selector)
      const known = exact ?? simple(subject(selector))
      if (isPaint && (exact === null || exact.tag === "html")) this.isWhole = false
      if (known === null) continue
      if (++this.count > ruleBudget) {
        this.isWhole = false
        return
      }
      this.index({ selector: known, weight: weightOf(known, this.count), declared, isDoubtful: exact === null })
    }
  }

  /** Reads a style sheet. Rules inside at-rules are conditional, except those of `unconditional`. */
  read(given: string) {
    const source = given.includes("/*") ? given.replace(/\/\*[^]*?(?:\*\/|$)/g, " ") : given
    const mark = /[{};"']/g
    const open: Array<boolean> = []
    let from = 0
    for (let found = mark.exec(source); found !== null; found = mark.exec(source)) {
      const sign = found[0]
      if (sign === '"' || sign === "'") {
        mark.lastIndex = endOfString(source, found.index)
        continue
      }
      const before = source.slice(from, found.index).replaceAll("<!--", "").replaceAll("-->", "").trim()
      from = found.index + 1
      if (sign === "}") open.pop()
      else if (sign === ";") this.isWhole &&= !before.startsWith("@import")
      else if (before.startsWith("@") && !withoutRules.test(before)) open.push(!unconditional.test(before))
      else {
        const end = endOfBlock(source, from)
        if (!before.startsWith("@")) this.add(before, source.slice(from, end), open.includes(true))
        mark.lastIndex = from = end + 1
      }
    }
  }

  private named(classes: string): Named {
    const known = this.ofClasses.get(classes)
    if (known !== undefined) return known
    const own = new Set(classes.split(/\s+/, classesLooked))
    const rules = [...own].flatMap((name) => this.byClass.get(name) ?? [])
    const made = { own, rules, isTested: rules.some(isTested), declared: new Map<string, Declared>() }
    if (this.ofClasses.size < namesKept) this.ofClasses.set(classes, made)
    return made
  }

  declaredFor(node: TreeNode): Declared {
    let id = ""
    let classes = ""
    for (const { name, value } of node.attributes)
      if (name === "id") id = value
      else if (name === "class") classes = value
    const named = this.named(classes)
    const ofId = id === "" ? undefined : this.byId.get(id)
    const ofTag = this.byTag.get(node.tag)
    const isPlain = ofId === undefined && !named.isTested
    const known = isPlain ? named.declared.get(node.tag) : undefined
    const tested =
      this.tested.length === 0 || node.attributes.length === 0
        ? noRules
        : this.tested.filter((rule) => matches(node, rule.selector, named.own))
    if (known !== undefined && tested.length === 0) return known
    const found = [named.rules, ofId ?? [], ofTag ?? [], this.universal].flatMap((rules) =>
      rules.filter((rule) => matches(node, rule.selector, named.own))
    )
    const declared = cascade([...found, ...tested], node.tag)
    if (isPlain && tested.length === 0) named.declared.set(node.tag, declared)
    return declared
  }
}

/** Merges the matching rules of an element into its declarations. */
const cascade = (found: ReadonlyArray<Rule>, tag: string): Declared => {
  if (found.length === 0) return undeclared
  const normal = new Map<string, string>()
  const important = new Map<string, string>()
  for (const { declared } of found.filter((rule) => !rule.isDoubtful).sort((one, other) => one.weight - other.weight)) {
    for (const [name, value] of declared.normal) normal.set(name, value)
    for (const [name, value] of declared.important) important.set(name, value)
  }
  for (const { declared, isDoubtful } of found)
    if (isDoubtful)
      for (const [name, value] of [...declared.normal, ...declared.important])
        for (const style of [normal, important]) if (style.get(name) !== value) style.delete(name)
  // Many pages hide their body until scripts have run, so only colours are kept.
  if (tag === "body")
    for (const style of [normal, important]) for (const name of style.keys()) if (!paints.test(name)) style.delete(name)
  return normal.size + important.size === 0 ? undeclared : { normal, important }
}

/** Cached rules and declarations for one `class` attribute value. */
interface Named {
  readonly own: ReadonlySet<string>
  readonly rules: ReadonlyArray<Rule>
  readonly isTested: boolean
  /** Declarations by tag. */
  readonly declared: Map<string, Declared>
}

const isTested = (rule: Rule): boolean => rule.selector.attributes.length > 0

/**
 * Creates a sheet from sources in document order. `isPartial` means that the page also has external sheets or scripts.
 */
export const readSheet = (sources: ReadonlyArray<string>, isPartial: boolean): Sheet => {
  const tells = isPartial ? partlyTells(sources) : mayTell
  const rules = new Rules(tells ?? mayTell, isPartial)
  if (tells !== null) for (const source of sources) rules.read(source)
  return { isWhole: rules.isWhole, isEmpty: rules.isEmpty, declaredFor: (node) => rules.declaredFor(node) }
}
