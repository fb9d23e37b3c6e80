import "./settings.e2e.test.ts"
