import "./TextDocument.test.ts"
