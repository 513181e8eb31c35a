// lacewing as a library, with the powers of the command line:
//   import { defineExperiment, run } from "lacewing"
//   const got = await run(defineExperiment({ lacewing: 1, network: { … }, traffic: { … } }))
export { type Checked, type Complaint, complain } from "./core/complaint.ts"
export { check, defineExperiment, type ExperimentInput, type Finished, type RunOptions, run } from "./lab/api.ts"
export { Catalog } from "./lab/catalog.ts"
export type { Plan, PlannedRun } from "./lab/experiment.ts"
export { frames } from "./lab/frame.ts"
export type { RunRecord } from "./lab/record.ts"
export type { Placed } from "./lab/source.ts"
export type { PointSummary } from "./lab/summary.ts"
export { library } from "./library.ts"
export type { RunResult, RunSpec } from "./model/experiment.ts"
