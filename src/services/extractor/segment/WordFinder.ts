/** A word to look for. `<` before it: no letter may precede; `>` behind it: none may follow. */
export interface Sought {
  readonly word: string
  /** What a text that holds it gets: bits. */
  readonly bits: number
}

interface Found {
  readonly length: number
  readonly startsWord: boolean
  readonly endsWord: boolean
  readonly bits: number
}

const isLetter = (unit: number): boolean => unit >= 97 && unit <= 122

/** Words as a tree, one symbol a level: `edges` has `width` entries for each state, 0 for none. */
const treeOf = (words: ReadonlyArray<Found & { readonly symbols: ReadonlyArray<number> }>, width: number) => {
  const edges: Array<number> = Array.from({ length: width }, () => 0)
  const found: Array<Array<Found>> = [[]]
  for (const { symbols, ...word } of words) {
    let state = 0
    for (const symbol of symbols) {
      const at = state * width + symbol
      const next = edges[at] ?? 0
      if (next === 0) {
        edges[at] = found.length
        found.push([])
        for (let index = 0; index < width; index++) edges.push(0)
      }
      state = edges[at] ?? 0
    }
    found[state]?.push(word)
  }
  return { edges: Int16Array.from(edges), found }
}

/**
 * Makes of the tree an automaton that never steps back: where no edge goes on, the one of the longest end of what was
 * read that begins a word as well; and what ends there is found, too.
 */
const closed = ({ edges, found }: ReturnType<typeof treeOf>, width: number) => {
  const fallbacks = new Int16Array(found.length)
  const queue: Array<number> = []
  for (let symbol = 0; symbol < width; symbol++) if (edges[symbol] !== 0) queue.push(edges[symbol] ?? 0)
  for (const state of queue) {
    const fallback = fallbacks[state] ?? 0
    found[state]?.push(...(found[fallback] ?? []))
    for (let symbol = 0; symbol < width; symbol++) {
      const at = state * width + symbol
      const elsewhere = edges[fallback * width + symbol] ?? 0
      const next = edges[at] ?? 0
      if (next === 0) edges[at] = elsewhere
      else {
        fallbacks[next] = elsewhere
        queue.push(next)
      }
    }
  }
}

/**
 * Tells which of many words a lower-case text holds, in one pass (Aho and Corasick, "Efficient string matching", 1975):
 * as many regular expressions take as many.
 */
export const makeWordFinder = (sought: ReadonlyArray<Sought>): ((text: string) => number) => {
  const symbolOf = new Uint8Array(128)
  const alphabet = new Set(sought.flatMap(({ word }) => Array.from(word.replace(/^<|>$/g, ""))))
  for (const [index, character] of [...alphabet].entries()) symbolOf[character.charCodeAt(0)] = index + 1
  const width = alphabet.size + 1
  const words = sought.map(({ bits, word }) => {
    const plain = word.replace(/^<|>$/g, "")
    const symbols = Array.from(plain, (character) => symbolOf[character.charCodeAt(0)] ?? 0)
    return { symbols, length: plain.length, startsWord: word.startsWith("<"), endsWord: word.endsWith(">"), bits }
  })
  const tree = treeOf(words, width)
  closed(tree, width)
  const { edges, found } = tree

  return (text) => {
    let state = 0
    let bits = 0
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      state = edges[state * width + (unit < 128 ? (symbolOf[unit] ?? 0) : 0)] ?? 0
      for (const word of found[state] ?? []) {
        if (word.startsWord && isLetter(text.charCodeAt(index - word.length))) continue
        if (word.endsWord && isLetter(text.charCodeAt(index + 1))) continue
        bits |= word.bits
      }
    }
    return bits
  }
}
