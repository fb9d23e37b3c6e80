import "./progress.e2e.test.ts"
