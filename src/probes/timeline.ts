// The probe `timeline` stores the operations of each rank of a job with their start and end: calls that blocked the
// rank, computing, and non-blocking operations in progress. The job layer records them (workloads/mpi/operations.ts)
// and writes the table `jobs-operations` with the other tables of jobs, because ranks are no counters of the network.
import { int, schema } from "../core/schema.ts"
import type { ProbePlugin } from "../model/probe.ts"

interface TimelineParams {
  readonly rows: number
}

export default {
  kind: "probe",
  name: "timeline",
  about: "Start and end of each operation of each rank: calls that block, computing, and operations in progress.",
  limits: "stores only the last operations of a rank that fit into its rows; needs jobs",
  params: schema({
    rows: int({
      about: "Maximum number of operations of each rank; of a longer program, the last ones remain",
      min: 1,
      max: 1_048_576,
      default: 1024,
    }),
  }),
  operations: (p: TimelineParams) => p.rows,
  make: () => ({ report: () => ({ tables: {} }) }),
} satisfies ProbePlugin<TimelineParams>
