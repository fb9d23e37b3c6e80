/** A word to find. A leading `<` forbids a letter before it. A trailing `>` forbids a letter after it. */
export interface Sought {
  readonly word: string
  /** Bits that are set in the result when the text contains the word. */
  readonly bits: number
}

interface Found {
  readonly length: number
  readonly startsWord: boolean
  readonly endsWord: boolean
  readonly bits: number
}

const isLetter = (unit: number): boolean => unit >= 97 && unit <= 122

/** Builds a trie of words. `edges` has `width` entries per state, one per symbol; 0 means no edge. */
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
 * Turns the trie into an automaton that never steps back. A missing edge is replaced by the edge of the longest suffix
 * that also starts a word. Words that end in this suffix are added to the state.
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
 * Creates a function that finds which words a lower-case text contains, in a single pass (Aho and Corasick, "Efficient
 * string matching", 1975). Regular expressions would need one pass per word.
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
