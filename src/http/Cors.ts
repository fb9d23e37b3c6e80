import { type SettingsShape } from "../services/settings/Settings.ts"

const exposed = [
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After"
].join(", ")

/** CORS headers of every response (Fetch standard, "CORS protocol"). */
export const corsHeaders = (
  origin: string | undefined,
  allowed: SettingsShape["corsOrigins"]
): Record<string, string> => {
  if (allowed === "*") return { "access-control-allow-origin": "*", "access-control-expose-headers": exposed }
  return origin !== undefined && allowed.includes(origin)
    ? { "access-control-allow-origin": origin, "access-control-expose-headers": exposed, vary: "Origin" }
    : { vary: "Origin" }
}

/** Additional headers of a preflight response. */
export const preflightHeaders = (
  methods: ReadonlyArray<string>,
  requestedHeaders: string | undefined
): Record<string, string> => ({
  "access-control-allow-methods": methods.join(", "),
  "access-control-allow-headers": requestedHeaders ?? "*",
  "access-control-max-age": "86400"
})
