import { Schema } from "effect"

/** A job that a controlled worker has taken and holds. */
export const Reading = Schema.Struct({
  id: Schema.String,
  thread: Schema.Number,
  priority: Schema.Number,
  url: Schema.String
})
export type Reading = typeof Reading.Type

/** Connects the threads of one process. */
export const channelName = "quarry-test-readings"
