import "./WorkerPools.net.test.ts"
