import "./contentFailures.e2e.test.ts"
