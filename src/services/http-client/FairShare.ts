import { Deferred, Effect } from "effect"

/** Runs an effect when there is room for it and its client has not too much of it already. */
export type FairShare = (client: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

interface Claim {
  readonly client: string
  running: number
  readonly waiting: Array<Place>
}

interface Place {
  readonly granted: Deferred.Deferred<void>
  isIn: boolean
}

interface Options {
  readonly capacity: number
  /** Of the room that is free, how much a client may hold. */
  readonly part: number
}

/**
 * A client may hold no more than `part` of what is free (dynamic thresholds, Choudhury and Hahne 1998): alone it has
 * plenty, among many each has less, and there is always room for one that comes new. Who has to wait is let in before
 * those who hold more.
 */
export const make = ({ capacity, part }: Options): Effect.Effect<FairShare> =>
  Effect.sync(() => {
    const claims = new Map<string, Claim>()
    const slots = { used: 0 }

    const fits = ({ running }: Claim): boolean =>
      slots.used < capacity && running < Math.max(1, part * (capacity - slots.used))

    const admit = (claim: Claim, place: Place): void => {
      claim.running++
      slots.used++
      place.isIn = true
      Deferred.unsafeDone(place.granted, Effect.void)
    }

    /** Whoever waits and holds least. */
    const nextClaim = (): Claim | null => {
      let next: Claim | null = null
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
        const place: Place = { granted, isIn: false }
        if (fits(claim)) admit(claim, place)
        else claim.waiting.push(place)
        return { claim, place }
      })

    const leave = ({ claim, place }: { readonly claim: Claim; readonly place: Place }) =>
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
