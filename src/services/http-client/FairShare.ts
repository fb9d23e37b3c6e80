import { Deferred, Effect } from "effect"

/** Runs an effect when capacity is free and its client is below its share. */
export type FairShare = (client: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

interface ClientQueue {
  readonly client: string
  running: number
  readonly waiting: Array<Waiter>
}

interface Waiter {
  readonly granted: Deferred.Deferred<void>
  isIn: boolean
}

interface Options {
  readonly capacity: number
  /** Maximum share of a client, as a multiple of the free capacity. */
  readonly shareOfFree: number
}

/**
 * Limits each client to `part` of the free capacity (dynamic thresholds, Choudhury and Hahne 1998). A single client may
 * use a lot. Among many clients, each may use less, and some capacity stays free for a new one. Of the waiting clients,
 * the one with the fewest running effects is next.
 */
export const make = ({ capacity, shareOfFree: part }: Options): Effect.Effect<FairShare> =>
  Effect.sync(() => {
    const claims = new Map<string, ClientQueue>()
    const slots = { used: 0 }

    const fits = ({ running }: ClientQueue): boolean =>
      slots.used < capacity && running < Math.max(1, part * (capacity - slots.used))

    const admit = (claim: ClientQueue, place: Waiter): void => {
      claim.running++
      slots.used++
      place.isIn = true
      Deferred.unsafeDone(place.granted, Effect.void)
    }

    /** Returns the waiting client with the fewest running effects. */
    const nextClaim = (): ClientQueue | null => {
      let next: ClientQueue | null = null
      for (const claim of claims.values()) {
        const mayCome = claim.waiting.length > 0 && fits(claim)
        if (mayCome && (next === null || claim.running < next.running)) next = claim
      }
      return next
    }

    const grant = (): void => {
      for (let claim = nextClaim(); claim !== null; claim = nextClaim()) {
        const place = claim.waiting.shift()
        if (place !== undefined) admit(claim, place)
      }
    }

    const enter = (client: string) =>
      Effect.map(Deferred.make<void>(), (granted) => {
        const claim = claims.get(client) ?? { client, running: 0, waiting: [] }
        claims.set(client, claim)
        const place: Waiter = { granted, isIn: false }
        if (fits(claim)) admit(claim, place)
        else claim.waiting.push(place)
        return { claim, place }
      })

    const leave = ({ claim, place }: { readonly claim: ClientQueue; readonly place: Waiter }) =>
      Effect.sync(() => {
        if (place.isIn) {
          claim.running--
          slots.used--
        } else claim.waiting.splice(claim.waiting.indexOf(place), 1)
        if (claim.running === 0 && claim.waiting.length === 0) claims.delete(claim.client)
        grant()
      })

    return (client) => (effect) =>
      Effect.acquireUseRelease(
        enter(client),
        ({ place }) => Effect.zipRight(Deferred.await(place.granted), effect),
        leave
      )
  })
