import { Context } from "effect"

/**
 * Whom the work of the moment is done for, so that what many clients share can be shared out: an address as budgets
 * know it, or a key's name. A local process is one client.
 */
export class ClientKey extends Context.Reference<ClientKey>()("quarry/ClientKey", {
  defaultValue: () => "local"
}) {}
