import "./Markdown.test.ts"
