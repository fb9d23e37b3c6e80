import { buildInto } from "./build.ts"

/** Builds the extraction worker only: net tests start threads, but no process. */
export const setup = () => buildInto("--worker")
