import "./Parse.test.ts"
