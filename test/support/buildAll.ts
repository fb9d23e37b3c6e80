import { buildInto } from "./build.ts"

/** Builds what users start. */
export const setup = () => buildInto()
