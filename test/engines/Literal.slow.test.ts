import "./Literal.test.ts"
