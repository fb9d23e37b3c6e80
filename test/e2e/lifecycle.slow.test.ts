import "./lifecycle.e2e.test.ts"
