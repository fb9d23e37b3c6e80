import "./FairShare.test.ts"
