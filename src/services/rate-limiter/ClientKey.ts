import { Context } from "effect"

/**
 * The client of the current fiber, used to share limited resources fairly. Either an address in the form used for
 * budgets, or the name of a key. All local processes are one client.
 */
export class ClientKey extends Context.Reference<ClientKey>()("quarry/ClientKey", {
  defaultValue: () => "local"
}) {}
