import "./HedgedRequests.test.ts"
