import "./Asking.test.ts"
