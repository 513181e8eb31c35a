// A program alone on the ideal network: what `validate loggops` and slowdowns are measured against.
import { type Checked, complain } from "../../core/complaint.ts"
import { type LogGOPS, makeIdeal } from "../../engines/ideal/engine.ts"
import { workloads } from "../../library.ts"

/** ps at which each rank ends. */
export function idealEnds(
  program: workloads.Program,
  net: LogGOPS,
  mpi: Readonly<Record<string, unknown>>,
): Checked<Float64Array> {
  const analysis = workloads.analyse(program)
  if ("bad" in analysis) return analysis
  const params = workloads.mpiParams.parse({ overhead: `${net.o}ps`, overheadByte: `${net.O}ps`, ...mpi }, "mpi")
  if ("bad" in params) return params
  const plan = { name: "job", program, analysis: analysis.ok, params: params.ok, start: 0, seed: 1 }
  const layer = workloads.mpiLayer(
    [plan],
    Int32Array.from({ length: program.ranks }, (_, r) => r),
  )
  if ("bad" in layer) return layer
  const ideal = makeIdeal(layer.ok, net)
  ideal.run(Number.POSITIVE_INFINITY)
  const { at } = layer.ok.columns()
  const [report] = workloads.reportJobs(layer.ok.jobs, (rank) => ideal.mem.subarray(at[rank]))
  if (report!.finished === report!.ranks) return { ok: report!.ends }
  const waits = workloads.waitingRanks(layer.ok.jobs, (rank) => ideal.mem.subarray(at[rank]), 3)
  return { bad: [complain("workload", `it hangs: ${waits.join("; ")}`, "check that every receive has its send")] }
}
