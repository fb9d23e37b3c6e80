import { type Quote } from "./Quote.ts"

/** How an answer is put into text. */
export interface TextOptions {
  /** About how many tokens the text may have. */
  readonly maxTokens: number
  readonly quote: Quote
}
