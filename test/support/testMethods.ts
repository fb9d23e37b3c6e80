import { effect, flakyTest, it, layer, prop, scoped } from "@effect/vitest"

// `layer` of @effect/vitest replaces these methods of the one `it`, and files share the worker that holds it.
Object.assign(it, { effect, scoped, prop, flakyTest, layer })
