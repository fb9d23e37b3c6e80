import { Context, Effect, Layer } from "effect"
import forge from "node-forge"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { isIP } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

export type Flaw = "expired" | "self-signed"

interface Pair {
  readonly key: string
  readonly publicKey: forge.pki.PublicKey
  readonly privateKey: forge.pki.rsa.PrivateKey
}

const once = <A>(make: () => A): (() => A) => {
  const made: Array<A> = []
  return () => {
    const first = made[0] ?? make()
    if (made.length === 0) made.push(first)
    return first
  }
}

/** Node makes RSA keys many times faster than forge does. */
const newPair = (): Pair => {
  const pair = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" }
  })
  return {
    key: pair.privateKey,
    publicKey: forge.pki.publicKeyFromPem(pair.publicKey),
    privateKey: forge.pki.privateKeyFromPem(pair.privateKey)
  }
}

const authorityPair = once(newPair)
const leafPair = once(newPair)

const day = 24 * 3600 * 1000

const certificate = (pair: Pair, name: string, from: number, until: number): forge.pki.Certificate => {
  const made = forge.pki.createCertificate()
  made.publicKey = pair.publicKey
  // The first byte keeps the number positive, and its encoding free of leading zeros, which OpenSSL refuses.
  made.serialNumber = `40${randomBytes(15).toString("hex")}`
  made.validity.notBefore = new Date(from)
  made.validity.notAfter = new Date(until)
  made.setSubject([{ name: "commonName", value: name }])
  return made
}

const authorityName = "Quarry test authority"

const authorityCertificate = once(() => {
  const now = Date.now()
  const made = certificate(authorityPair(), authorityName, now - day, now + 30 * day)
  made.setIssuer([{ name: "commonName", value: authorityName }])
  made.setExtensions([
    { name: "basicConstraints", cA: true, critical: true },
    { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true }
  ])
  made.sign(authorityPair().privateKey, forge.md.sha256.create())
  return forge.pki.certificateToPem(made)
})

const newCertificate = (hosts: ReadonlyArray<string>, flaw?: Flaw): Certificate => {
  const now = Date.now()
  const pair = leafPair()
  const name = hosts[0] ?? "nobody.test"
  const made = certificate(pair, name, now - 10 * day, flaw === "expired" ? now - day : now + 30 * day)
  made.setIssuer([{ name: "commonName", value: flaw === "self-signed" ? name : authorityName }])
  made.setExtensions([
    { name: "basicConstraints", cA: false },
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true },
    { name: "extKeyUsage", serverAuth: true },
    {
      name: "subjectAltName",
      altNames: hosts.map((host) => (isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host }))
    }
  ])
  made.sign(flaw === "self-signed" ? pair.privateKey : authorityPair().privateKey, forge.md.sha256.create())
  return { cert: forge.pki.certificateToPem(made), key: pair.key }
}

/** By hosts and flaw: forge takes a tenth of a second to sign one. */
const issued = new Map<string, Certificate>()

/** A certificate for host names (`*.` for any first label) and addresses; a flaw makes clients refuse it. */
export const issue = (hosts: ReadonlyArray<string>, flaw?: Flaw): Certificate => {
  const key = [flaw, ...hosts].join()
  const certificate = issued.get(key) ?? newCertificate(hosts, flaw)
  issued.set(key, certificate)
  return certificate
}

/** The throwaway authority as a file, for `NODE_EXTRA_CA_CERTS`; keys live as long as the process. */
export class Authority extends Context.Tag("quarry/test/Authority")<
  Authority,
  { readonly pem: string; readonly file: string }
>() {
  static readonly layer = Layer.scoped(
    Authority,
    Effect.acquireRelease(
      Effect.sync(() => {
        const folder = mkdtempSync(join(tmpdir(), "quarry-ca-"))
        const file = join(folder, "ca.pem")
        writeFileSync(file, authorityCertificate())
        return { folder, authority: { pem: authorityCertificate(), file } }
      }),
      ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ).pipe(Effect.map(({ authority }) => authority))
  )
}
