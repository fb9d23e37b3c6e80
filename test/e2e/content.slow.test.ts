import "./content.e2e.test.ts"
