import "./seeds.e2e.test.ts"
