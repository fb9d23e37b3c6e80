import { Context, Layer, Ref } from "effect"

/** True while the service shuts down. Running requests are then finished, and new ones are refused. */
export class Drain extends Context.Tag("quarry/http/Drain")<Drain, Ref.Ref<boolean>>() {
  static readonly layer = Layer.effect(Drain, Ref.make(false))
}
