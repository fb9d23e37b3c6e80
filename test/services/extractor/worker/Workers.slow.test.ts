import "./Workers.net.test.ts"
