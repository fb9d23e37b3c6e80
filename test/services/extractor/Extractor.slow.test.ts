import "./Extractor.test.ts"
