import { type SearchKind } from "../../../src/domain/SearchKind.ts"

/** A request as an upstream sees it. */
export interface Asked {
  readonly method: string
  readonly host: string
  readonly url: URL
  readonly body: string
  /** The decoded urlencoded body; empty for any other. */
  readonly form: URLSearchParams
}

export interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Numbered results, the same whenever the same is asked. */
export interface Catalogue {
  readonly total: number
  /** Hosts and titles are made of it: two engines with one name list the same pages. */
  readonly name: string
}

/** How one engine behaves, seen from outside. */
export interface Site {
  /** `*.` stands for any first label. */
  readonly hosts: ReadonlyArray<string>
  /** What its block page comes with. */
  readonly blockStatus: number
  /** Whether the service asks it only when it has a key. */
  readonly needsKey?: true
  readonly services: ReadonlyArray<Service>
}

/** One kind of search there. */
export interface Service {
  readonly kind: SearchKind
  /** Whole, or the beginning where it ends in `*`. */
  readonly paths: ReadonlyArray<string>
  /** Where paths alone do not tell the kinds apart. */
  readonly when?: (asked: Asked) => boolean
  readonly type: string
  /** Whether this is the request before that for results; the fixture `<kind>.step` answers it. */
  readonly isStep?: (asked: Asked) => boolean
  /** A page of a catalogue, paged as the engine pages; null where it would turn the program away. */
  readonly generate: (asked: Asked, catalogue: Catalogue) => Page | string | null
}

export const types = {
  html: "text/html; charset=utf-8",
  json: "application/json",
  xml: "application/xml; charset=utf-8"
} as const

export interface Item {
  readonly number: number
  readonly title: string
  readonly url: string
  readonly text: string
}

/** The items from..until-1 (from 0) of a catalogue, as far as it reaches. */
export const itemsOf = (query: string, catalogue: Catalogue, from: number, until: number): ReadonlyArray<Item> =>
  Array.from({ length: Math.max(0, Math.min(until, catalogue.total) - from) }, (_, index) => {
    const number = from + index + 1
    return {
      number,
      title: `${query} ${catalogue.name} ${number}`,
      url: `https://www.${catalogue.name}.example/${encodeURIComponent(query)}/${number}`,
      text: `What ${catalogue.name} says about ${query}, number ${number}.`
    }
  })

/** A whole number that a request carries; `missing` when it does not. */
export const numberOf = (params: URLSearchParams, name: string, missing: number): number =>
  params.has(name) ? Number(params.get(name)) : missing

export const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** Some hours before now, the younger the smaller the number: in any year inside of every time limit. */
export const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)
