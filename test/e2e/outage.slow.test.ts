import "./outage.e2e.test.ts"
