import "./hostile.e2e.test.ts"
