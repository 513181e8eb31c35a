// The part of src/workloads that the layers above it may import: the library, the experiment and the command line. The
// other files of this folder are private to it.
export { algorithms, choose } from "./collectives/choose.ts"
export { type Algorithm, type Call, call, Moves } from "./collectives/schedule.ts"
export { type HaloSize, halo, neighbours } from "./generators/halo.ts"
export { type RingSize, ring } from "./generators/ring.ts"
export { workloadOfReader } from "./generators/trace-reader.ts"
export type {
  Background,
  ReadProgram,
  TraceFile,
  TraceReaderModel,
  TraceReaderPlugin,
  WorkloadPlugin,
} from "./generators/workload-plugin.ts"
export { type Analysis, analyse } from "./mpi/analysis.ts"
export type { Job, JobPlan } from "./mpi/job.ts"
export { type MpiLayer, mpiLayer } from "./mpi/layer.ts"
export { type MpiParams, mpiParams, mpiRules } from "./mpi/params.ts"
export { type JobReport, RANK_WORDS, reportJobs, waitingRanks } from "./mpi/report.ts"
export { type Stragglers, stragglersOf } from "./mpi/stragglers.ts"
export * from "./program.ts"
export { scheduleOf } from "./schedule/schedule.ts"
export { scheduleSummary } from "./schedule/summary.ts"
export { RankWriter, written } from "./writer.ts"
