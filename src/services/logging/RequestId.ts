import { Effect, Random } from "effect"

const hex = (value: number) => value.toString(16).padStart(8, "0")

/** Generates a request id of 32 hexadecimal digits. */
export const freshRequestId = Effect.map(Effect.replicateEffect(Random.nextIntBetween(0, 2 ** 32), 4), (parts) =>
  parts.map(hex).join("")
)
