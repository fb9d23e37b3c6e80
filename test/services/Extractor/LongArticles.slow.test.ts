import "./LongArticles.test.ts"
