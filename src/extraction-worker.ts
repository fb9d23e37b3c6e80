import { runMain } from "@effect/platform-node/NodeRuntime"
import { extractDocument } from "./services/extractor/worker/Extraction.ts"
import { serveJobs } from "./services/extractor/worker/WorkerThread.ts"

runMain(serveJobs(extractDocument), { disableErrorReporting: true, disablePrettyLogger: true })
