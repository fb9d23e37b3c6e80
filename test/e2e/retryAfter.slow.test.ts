import "./retryAfter.e2e.test.ts"
