import { Either } from "effect"

/** JSON laid out to be read; null for what is not JSON. */
export const readableJson = (source: string): string | null =>
  Either.try((): unknown => JSON.parse(source)).pipe(
    Either.flatMap((value) => Either.try(() => JSON.stringify(value, null, 2))),
    Either.orElse(() => (isJsonLines(source) ? Either.right(source.trim()) : Either.left(null))),
    Either.getOrNull
  )

const isJsonLines = (source: string): boolean =>
  source
    .trim()
    .split("\n", 3)
    .every((line) => Either.isRight(Either.try((): unknown => JSON.parse(line))))
