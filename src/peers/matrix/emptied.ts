// A clocked machine, run for a while and then until it is empty, by 1, 2 and 4 workers: what is wrong with it, in words.
import { clockedEngine, mostWorkers, partsFor } from "../../compile/clocked/engine.ts"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { CONTROL } from "../../fabric/flit.ts"
import type { RunSpec } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import { prepareFlit } from "../../run/simulate.ts"

const host: Host = { read: (path) => `no file ${path}` }

/** Cycles of a step while it empties, and how many: a timer of 2,000 cycles, doubled with each retry, is the longest thing that such a network waits for. */
export const STEP = 250
export const MOST_STEPS = 200
const WORKERS = [1, 2, 4]

/** `steps`: packets that are sent again while they wait in line can make a hot endpoint need many. Nothing lost, nothing stuck, a clean audit, and the same bits for any number of workers; undefined where the plan refuses the network. */
export function wrongWhenEmptied(spec: RunSpec, busy: number, steps = MOST_STEPS): string[] | undefined {
  const prepared = prepareFlit(spec, host)
  if ("bad" in prepared) return undefined
  const { compiled } = prepared.ok
  const says: string[] = []
  const ends = WORKERS.map((workers) => {
    const parts = partsFor(compiled, Math.min(workers, mostWorkers(compiled)))
    const engine = clockedEngine(compiled, { ...parts, horizon: 2 * busy, series: 256 })
    engine.columns.control[CONTROL.from] = 0
    engine.advance(busy)
    const middle = engine.fingerprint()
    says.push(...auditOf(engine, workers))
    engine.columns.control[CONTROL.quiet] = busy
    for (let i = 0; i < steps && !isEmpty(engine); i++) engine.advance(engine.now + STEP)
    says.push(...auditOf(engine, workers), ...leftIn(engine, workers))
    return `${middle} ${engine.fingerprint()}, ${engine.stat("created")} created, ${engine.stat("delivered")} delivered`
  })
  if (new Set(ends).size > 1) says.push(`1, 2 and 4 workers: ${ends.join("; ")}`)
  return says
}

/** Delivered is not yet empty: an acknowledgement may stand in its buffer, nothing on any wire, until its link knows that it must repeat it. */
function isEmpty(engine: ClockedEngine): boolean {
  const { underWay, waiting, onWires } = engine.standing()
  return underWay + waiting + onWires === 0
}

function auditOf(engine: ClockedEngine, workers: number): string[] {
  return engine.audit().map((c) => `${workers} workers, ${c.path}: ${c.says}`)
}

/** Nothing is lost: what was created was delivered or given up, and nothing is anywhere. */
function leftIn(engine: ClockedEngine, workers: number): string[] {
  const { underWay, waiting, onWires, timers } = engine.standing()
  const [created, done] = [engine.stat("created"), engine.stat("delivered") + engine.stat("abandoned")]
  if (created === done && created > 0 && underWay + waiting + onWires === 0) return []
  return [
    `${workers} workers, cycle ${engine.now}: ${created} packets created, ${done} delivered or given up, ${waiting} buffers in use, ${onWires} things on wires, ${timers} timers`,
  ]
}
