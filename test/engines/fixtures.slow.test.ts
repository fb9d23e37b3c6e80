import "./fixtures.test.ts"
