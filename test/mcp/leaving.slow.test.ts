import "./leaving.e2e.test.ts"
