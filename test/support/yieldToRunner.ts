import { afterEach } from "vitest"

// Tests that only compute would keep a worker from answering vitest, which gives up after a minute.
afterEach(() => new Promise<void>((resolve) => setImmediate(resolve)))
