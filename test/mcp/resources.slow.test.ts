import "./resources.e2e.test.ts"
