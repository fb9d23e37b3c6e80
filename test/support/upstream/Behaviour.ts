import { Effect } from "effect"
import { type Page } from "./Site.ts"

/** What an upstream does with the requests to come. */
export type Behaviour =
  /** The page of results among the engine's fixtures, or another one there (`text.lite`). */
  | { readonly _tag: "Captured"; readonly name?: string }
  /** Its page that says that there is nothing. */
  | { readonly _tag: "Empty" }
  /** Its block page, under the status it comes with unless told. */
  | { readonly _tag: "Block"; readonly status?: number }
  /** 429; `retryAfter` in seconds. */
  | { readonly _tag: "RateLimited"; readonly retryAfter?: number }
  | { readonly _tag: "Status"; readonly status: number }
  | { readonly _tag: "Page"; readonly page: Page }
  /** So many results, page by page; engines with one name list the same pages. */
  | { readonly _tag: "Generated"; readonly total: number; readonly name?: string }
  /** Takes the request, never answers. */
  | { readonly _tag: "Hang" }
  /** Destroys the socket in place of an answer. */
  | { readonly _tag: "Reset" }
  /** 200 with nothing in it. */
  | { readonly _tag: "EmptyBody" }
  /** A page of another site, or bytes that are no text. */
  | { readonly _tag: "Garbage"; readonly as: "html" | "binary" }
  /** Fewer bytes than Content-Length says. */
  | { readonly _tag: "Truncated" }
  /** Drips for ever. */
  | { readonly _tag: "Endless" }
  /** Ten megabytes of the engine's own type. */
  | { readonly _tag: "Big" }
  /** A certificate that nobody trusts. This one and the next two are met by new connections only. */
  | { readonly _tag: "TlsError" }
  /** The proxy is told that the port is closed. */
  | { readonly _tag: "Refused" }
  /** The proxy cannot find the name. */
  | { readonly _tag: "NoSuchHost" }
  /** Answers as `then` says once the promise is settled. */
  | { readonly _tag: "Held"; readonly until: () => Promise<unknown>; readonly then: Behaviour }

export const captured: Behaviour = { _tag: "Captured" }
export const capturedAs = (name: string): Behaviour => ({ _tag: "Captured", name })
export const empty: Behaviour = { _tag: "Empty" }
export const block: Behaviour = { _tag: "Block" }
export const blockUnder = (status: number): Behaviour => ({ _tag: "Block", status })
export const rateLimited: Behaviour = { _tag: "RateLimited" }
export const rateLimitedFor = (seconds: number): Behaviour => ({ _tag: "RateLimited", retryAfter: seconds })
export const status = (code: number): Behaviour => ({ _tag: "Status", status: code })
export const page = (given: Page): Behaviour => ({ _tag: "Page", page: given })
export const hang: Behaviour = { _tag: "Hang" }
export const reset: Behaviour = { _tag: "Reset" }
export const emptyBody: Behaviour = { _tag: "EmptyBody" }
export const garbage = (as: "html" | "binary"): Behaviour => ({ _tag: "Garbage", as })
export const truncated: Behaviour = { _tag: "Truncated" }
export const endless: Behaviour = { _tag: "Endless" }
export const big: Behaviour = { _tag: "Big" }
export const tlsError: Behaviour = { _tag: "TlsError" }
export const refused: Behaviour = { _tag: "Refused" }
export const noSuchHost: Behaviour = { _tag: "NoSuchHost" }
export const generated = (total: number, name?: string): Behaviour => ({
  _tag: "Generated",
  total,
  ...(name === undefined ? {} : { name })
})
export const held = (until: () => Promise<unknown>, then: Behaviour): Behaviour => ({ _tag: "Held", until, then })
export const slow = (ms: number, then: Behaviour): Behaviour =>
  held(() => new Promise((resolve) => setTimeout(resolve, ms).unref()), then)

/** Something to wait for that a test lets happen. */
export const gate = () => {
  const state: { open: () => void } = { open: () => undefined }
  const opened = new Promise<void>((resolve) => (state.open = resolve))
  return { opened: () => opened, open: Effect.sync(() => state.open()) }
}
