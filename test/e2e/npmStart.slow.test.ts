import "./npmStart.e2e.test.ts"
