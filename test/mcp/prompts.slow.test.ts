import "./prompts.e2e.test.ts"
