import "./CanonicalUrl.test.ts"
