import "./twoDown.e2e.test.ts"
