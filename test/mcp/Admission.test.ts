import { assert, describe, it } from "@effect/vitest"
import { type AdmissionPolicy, refusalOf } from "../../src/mcp/Admission.ts"

const open: AdmissionPolicy = { mcpAllowedHosts: "*", mcpAllowedOrigins: null }

type Case = readonly [policy: Partial<AdmissionPolicy>, host: string | null, origin: string | null]

const allowed: ReadonlyArray<Case> = [
  [{}, "quarry.example", null],
  [{}, "quarry.example", "https://quarry.example"],
  [{}, "quarry.example:8000", "http://quarry.example:8000"],
  [{}, "quarry.example:443", "https://quarry.example"],
  [{}, "quarry.example", "http://localhost:6274"],
  [{}, "quarry.example", "http://127.0.0.1"],
  [{ mcpAllowedHosts: ["quarry.example"] }, "Quarry.example:9000", null],
  [{ mcpAllowedHosts: ["quarry.example:9000"] }, "quarry.example:9000", null],
  [{ mcpAllowedHosts: ["[::1]"] }, "[::1]:8000", null],
  [{ mcpAllowedOrigins: ["https://app.example"] }, "quarry.example", "https://app.example"],
  [{ mcpAllowedOrigins: ["vscode-webview://panel"] }, "quarry.example", "vscode-webview://Panel"],
  [{ mcpAllowedOrigins: "*" }, "quarry.example", "null"]
]

const refused: ReadonlyArray<Case> = [
  [{}, "quarry.example", "https://evil.example"],
  [{}, "quarry.example", "https://quarry.example.evil.example"],
  [{}, "quarry.example", "https://quarry.example:8443"],
  [{}, "quarry.example", "null"],
  [{}, "quarry.example", ""],
  [{}, "quarry.example", "vscode-webview://localhost"],
  [{}, null, "https://evil.example"],
  [{ mcpAllowedHosts: ["quarry.example"] }, "evil.example", null],
  [{ mcpAllowedHosts: ["quarry.example"] }, null, null],
  [{ mcpAllowedHosts: ["quarry.example:9000"] }, "quarry.example:9001", null],
  [{ mcpAllowedHosts: ["quarry.example"] }, "evil.example#quarry.example", null],
  [{ mcpAllowedHosts: ["quarry.example"] }, "quarry.example@evil.example", null],
  [{ mcpAllowedOrigins: ["https://app.example"] }, "quarry.example", "http://localhost"],
  [{ mcpAllowedOrigins: ["https://app.example"] }, "quarry.example", "https://quarry.example"]
]

const refusal = ([policy, host, origin]: Case) => {
  const headers = [...(host === null ? [] : [["host", host]]), ...(origin === null ? [] : [["origin", origin]])]
  return refusalOf(new Headers(Object.fromEntries(headers)), { ...open, ...policy })
}

describe("admission", () => {
  it.each(allowed.map((one) => [one] as const))("of %j", (one) => {
    assert.isNull(refusal(one))
  })

  it.each(refused.map((one) => [one] as const))("is not for %j", (one) => {
    assert.isNotNull(refusal(one))
  })
})
