// A GOAL schedule alone on the ideal network by the rules of LogGOPSim.
import type { Checked } from "../../core/complaint.ts"
import { makeLogGOPSim } from "../../engines/ideal/loggopsim.ts"
import { readTraceHere, workloads } from "../../library.ts"

/** LogGOPSim's options in ns and bytes. */
export interface LogGOPSimOptions {
  readonly L: number
  readonly o: number
  readonly g: number
  readonly G: number
  readonly O: number
  readonly S: number
}

const ps = 1000

/** Returns the ns at which the last processor of each rank is free. */
export function scheduleEnds(goal: string, { L, o, g, G, O, S }: LogGOPSimOptions): Checked<number[]> {
  const read = readTraceHere("goal", () => [{ name: "x.goal", pieces: [new TextEncoder().encode(goal)] }])
  const program = read.trace?.program
  const wrong = [...read.bad, ...(read.trace?.bad ?? [])]
  if (program === undefined || wrong.length > 0) return { bad: wrong }
  const analysis = workloads.analyse(program)
  if ("bad" in analysis) return analysis
  const raw = { overhead: `${o}ns`, overheadByte: `${O}ns`, eager: `${S}B`, header: "1B" }
  const params = workloads.mpiParams.parse(raw, "mpi")
  if ("bad" in params) return params
  const plan = { name: "job", program, analysis: analysis.ok, params: params.ok, start: 0, seed: 1 }
  const layer = workloads.mpiLayer(
    [plan],
    Int32Array.from({ length: program.ranks }, (_, r) => r),
  )
  if ("bad" in layer) return layer
  const schedule = workloads.scheduleOf(layer.ok.jobs)
  if ("bad" in schedule) return schedule
  const machine = makeLogGOPSim(schedule.ok, { L: L * ps, g: g * ps, G: G * ps })
  machine.run(Number.POSITIVE_INFINITY)
  return { ok: Array.from({ length: program.ranks }, (_, r) => machine.freeFrom(r) / ps) }
}
