import { isIP } from "node:net"

/** Names and addresses as a hosts file gives them; names in lower case. */
export type Hosts = ReadonlyMap<string, ReadonlyArray<string>>

/** Reads a hosts file (hosts(5)): an address and its names in a line; what is no address is passed over. */
export const hostsOf = (text: string): Hosts => {
  const hosts = new Map<string, Array<string>>()
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*$/, "").trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const addresses = hosts.get(name.toLowerCase()) ?? []
      addresses.push(address)
      hosts.set(name.toLowerCase(), addresses)
    }
  }
  return hosts
}
