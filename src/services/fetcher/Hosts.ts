import { isIP } from "node:net"

/** Addresses of a hosts file, by name in lower case. */
export type Hosts = ReadonlyMap<string, ReadonlyArray<string>>

/** Parses a hosts file (hosts(5)): each line has an address and its names. Skips lines without a valid address. */
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
