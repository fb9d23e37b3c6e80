import "./clients.e2e.test.ts"
