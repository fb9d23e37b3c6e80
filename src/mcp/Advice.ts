import { Option, Schema } from "effect"
import { type AnyFailure, envelopeOf, envelopes, type ErrorEnvelope } from "../domain/Envelope.ts"
import { type FetchReason, type PolicyReason } from "../domain/Failure.ts"
import { type SourceReceipt, type Sources } from "../domain/Outcome.ts"

/** Advice for a model about a failure: whether and when a retry helps, or which argument to change. */

const groups = { search: "searches", unified: "search_everything", content: "fetches", info: "other messages" } as const

const disallowed: Record<PolicyReason, string> = {
  private_address: "This address is not public",
  metadata_host: "This host is not public",
  port: "This port is not allowed",
  credentials: "A url with a user name or password is not read: leave them out",
  robots: "its robots.txt forbids it; look for another source",
  scheme: "It redirects to something that is not http(s)"
}

const unreadable: Record<Exclude<FetchReason, "http_status">, string> = {
  dns_error: "No such host. Trying again does not help: check the spelling of url, or search for the page.",
  connect_error: "The host does not answer. Try again once in a minute, else take another url.",
  tls_error: "The host has no valid certificate. Trying again does not help: take another url.",
  too_many_redirects: "It redirects in circles. Trying again does not help: take another url.",
  too_large: "It is larger than 10 MiB. Trying again does not help: take another url.",
  truncated: "The answer broke off. Try again once.",
  undecodable: "Its bytes cannot be decoded. Trying again does not help: take another url.",
  host_resting: "This host has failed repeatedly and is left alone. Try again in a minute, or take another url."
}

const ofStatus = (status: number | null): string => {
  switch (status) {
    case 401:
    case 402:
    case 403:
    case 451:
      return "The site does not let it be read. Trying again does not help: take another url."
    case 404:
    case 410:
      return "There is no such page. Trying again does not help: check url, or search for the page."
    case 429:
      return "The site asks for fewer requests. Try again in a few minutes, or take another url."
    default:
      return status === null || status >= 500
        ? "The site has a fault. Try again once in a minute, or take another url."
        : "The site refuses the request. Trying again does not help: take another url."
  }
}

const isList = (sources: Sources): sources is ReadonlyArray<SourceReceipt> => Array.isArray(sources)

/** When to call again, if the failed search says so. */
const whenTo = (seconds: number | undefined, otherwise: string): string =>
  seconds === undefined ? otherwise : `in ${seconds} s`

const ofSources = (sources: Sources, retryAfter: number | undefined): string => {
  const all = isList(sources) ? sources : Object.values(sources).flatMap(({ engines }) => engines)
  if (all.length > 0 && all.every(({ outcome }) => outcome === "unsupported")) {
    return "No engine can do this: leave out backend, timelimit or other filters, and call again."
  }
  return (
    `Nothing can be said of what exists: no engine answered. Try again ${whenTo(retryAfter, "in a minute")}; ` +
    "leave out backend if it was given, or use another search tool meanwhile."
  )
}

const named = (fields: ReadonlyArray<string>) =>
  fields.map((field) => (field === "" ? "the arguments" : field)).join(", ")

/** Returns one or two sentences of advice on a failed call. */
export const adviceOf = (failure: AnyFailure): string => {
  switch (failure._tag) {
    case "InvalidParameters":
      return `Nothing was done. Correct ${named(failure.problems.map(({ field }) => field))} as details say, and call again.`
    case "RateLimitExceeded":
      return (
        `The budget of ${groups[failure.group]} is used up (${failure.limit} in ${failure.window_seconds} s). ` +
        `Call again in ${failure.retry_after} s with the same arguments; tools of other budgets can be called now.`
      )
    case "SearchFailed":
      return ofSources(failure.sources, failure.retry_after)
    case "SearchTimedOut":
      return `Every engine was too slow. Try again once ${whenTo(failure.retry_after, "now")}; leave out backend if it was given.`
    case "UrlNotAllowed":
      return `${disallowed[failure.reason]}. Trying again does not help: take another url.`
    case "FetchFailed":
      return failure.reason === "http_status" ? ofStatus(failure.status_code) : unreadable[failure.reason]
    case "FetchTimedOut":
      return failure.timeout < 30
        ? "The site is slow. Call again with a larger timeout (at most 30), or take another url."
        : "The site is too slow. Try again in a few minutes, or take another url."
    case "UnsupportedContentType":
      return "It is no text. Trying again does not help: take another url."
    case "InternalError":
      return "A fault of this server. Try again once; if it stays, tell the user the request_id."
    default:
      return "Try again in a minute."
  }
}

/** Decoders of the failures that one part of an answer can have: one URL or one kind of search. */
const readers: ReadonlyArray<(envelope: unknown) => Option.Option<AnyFailure>> = [
  Schema.decodeUnknownOption(envelopes.InvalidParameters),
  Schema.decodeUnknownOption(envelopes.SearchFailed),
  Schema.decodeUnknownOption(envelopes.SearchTimedOut),
  Schema.decodeUnknownOption(envelopes.UrlNotAllowed),
  Schema.decodeUnknownOption(envelopes.FetchFailed),
  Schema.decodeUnknownOption(envelopes.FetchTimedOut),
  Schema.decodeUnknownOption(envelopes.UnsupportedContentType)
]

/** Returns the advice on a failed part of an answer, or "" when its failure is unknown. */
export const adviceOfPart = ({ details, error }: Pick<ErrorEnvelope, "error" | "details">): string => {
  const failures = readers.flatMap((read) => Option.toArray(read({ success: false, error, details })))
  const failure = failures.find((one) => envelopeOf(one).error === error)
  return failure === undefined ? "" : adviceOf(failure)
}
