import "./faults.e2e.test.ts"
