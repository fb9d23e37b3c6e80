import "./OutputSchema.test.ts"
