import "./paging.e2e.test.ts"
