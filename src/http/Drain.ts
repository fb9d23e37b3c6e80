import { Context, Layer, Ref } from "effect"

/** Whether the service is on its way out: it then finishes what runs and takes nothing new. */
export class Drain extends Context.Tag("quarry/http/Drain")<Drain, Ref.Ref<boolean>>() {
  static readonly layer = Layer.effect(Drain, Ref.make(false))
}
