import "./PlainDocument.test.ts"
