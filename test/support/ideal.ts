// Programs on the ideal network: for tests of what ranks do.
import { type LogGOPS, makeIdeal } from "../../src/engines/ideal/engine.ts"
import { analyse } from "../../src/workloads/mpi/analysis.ts"
import { mpiLayer } from "../../src/workloads/mpi/layer.ts"
import { mpiParams } from "../../src/workloads/mpi/params.ts"
import { type JobReport, RANK_WORDS, reportJobs, waitingRanks } from "../../src/workloads/mpi/report.ts"
import type { Program } from "../../src/workloads/program.ts"

/** A network on which everything is instant but a latency of 1 ns. */
export const quick: LogGOPS = { L: 1000, o: 0, g: 0, G: 0, O: 0 }

export interface Played extends JobReport {
  readonly messages: number
  readonly waiting: readonly string[]
  readonly pending: number
}

export function play(program: Program, net: LogGOPS = quick, mpi: Readonly<Record<string, unknown>> = {}): Played {
  const analysis = analyse(program)
  if ("bad" in analysis) throw new Error(analysis.bad.map((b) => b.says).join("\n"))
  const raw = { overhead: `${net.o}ps`, overheadByte: `${net.O}ps`, ...mpi }
  const params = mpiParams.parse(raw, "mpi")
  if ("bad" in params) throw new Error(params.bad.map((b) => b.says).join("\n"))
  const layer = mpiLayer(
    [{ name: "job", program, analysis: analysis.ok, params: params.ok, start: 0, seed: 1 }],
    Int32Array.from({ length: program.ranks }, (_, r) => r),
  )
  if ("bad" in layer) throw new Error(layer.bad.map((b) => b.says).join("\n"))
  const ideal = makeIdeal(layer.ok, net)
  ideal.run(Number.POSITIVE_INFINITY)
  const at = layer.ok.columns().at
  const wordsOf = (rank: number) => ideal.mem.subarray(at[rank], at[rank] + RANK_WORDS)
  const [job] = reportJobs(layer.ok.jobs, wordsOf)
  return {
    ...job!,
    messages: ideal.counts.messages,
    waiting: waitingRanks(layer.ok.jobs, wordsOf, 10),
    pending: ideal.pending(),
  }
}
