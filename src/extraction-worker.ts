import { runMain } from "@effect/platform-node/NodeRuntime"
import { extractDocument } from "./services/Extractor/Extraction.ts"
import { serveJobs } from "./services/Extractor/WorkerThread.ts"

runMain(serveJobs(extractDocument), { disableErrorReporting: true, disablePrettyLogger: true })
