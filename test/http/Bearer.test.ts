import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { createHash } from "node:crypto"
import { keyNameOf } from "../../src/http/Bearer.ts"

const keyOf = (name: string, key: string) => ({ name, hash: createHash("sha256").update(key).digest() })

const keys = [keyOf("alice", "sesame-1"), keyOf("bob", "sesame-2")]

it("finds the holder of a key, however Bearer is spelt (RFC 6750, 2.1; RFC 9110, 11.1)", () => {
  assert.strictEqual(keyNameOf("Bearer sesame-1", keys), "alice")
  assert.strictEqual(keyNameOf("bearer  sesame-2 ", keys), "bob")
})

it("finds nobody in anything else", () => {
  const others = [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "sesame-1",
    "Basic sesame-1",
    "Bearer sesame-1 x",
    "Bearer sesame-1, Bearer x"
  ]
  for (const other of others) assert.isNull(keyNameOf(other, keys), other)
  fc.assert(fc.property(fc.string(), (text) => assert.isNull(keyNameOf(`Bearer ${text}`, keys))))
  assert.isNull(keyNameOf("Bearer sesame-1", []))
})
