import { type Quote } from "./Quote.ts"

/** Options for formatting an answer as text. */
export interface TextOptions {
  /** Approximate maximum of tokens in the text. */
  readonly maxTokens: number
  readonly quote: Quote
}
