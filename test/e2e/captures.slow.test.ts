import "./captures.e2e.test.ts"
