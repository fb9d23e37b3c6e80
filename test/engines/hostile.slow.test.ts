import "./hostile.test.ts"
