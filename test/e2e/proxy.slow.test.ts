import "./proxy.e2e.test.ts"
