// A clocked machine, run for a while and then until it is empty, by 1, 2 and 4 workers: what is wrong with it, in
// words.
import { clockedEngine, mostWorkers, partsFor } from "../../compile/clocked/engine.ts"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { CONTROL } from "../../fabric/flit.ts"
import type { RunSpec } from "../../model/experiment.ts"
import type { Host } from "../../model/host.ts"
import { prepareFlit } from "../../run/simulate.ts"

export const noFiles: Host = { read: (path) => `no file ${path}` }

/** Cycles of a step while it empties, and how many: a timer of 2,000 cycles, doubled with each retry, is the longest
 *  thing that such a network waits for. */
export const STEP = 250
export const MOST_STEPS = 200
const WORKERS = [1, 2, 4]

/** `steps`: packets that are sent again while they wait in line can make a hot endpoint need many. Nothing lost,
 *  nothing stuck, a clean audit, and the same bits for any number of workers; undefined where the plan refuses the
 *  network. */
export function wrongWhenEmptied(
  spec: RunSpec,
  busy: number,
  steps = MOST_STEPS,
  host = noFiles,
): string[] | undefined {
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

/**
 * A network that has delivered everything may not be empty: an acknowledgement may wait in its buffer, with nothing in
 * flight on any link, until its link detects that it must repeat it.
 */
function isEmpty(engine: ClockedEngine): boolean {
  const { underWay, waiting, onLinks } = engine.standing()
  return underWay + waiting + onLinks === 0
}

function auditOf(engine: ClockedEngine, workers: number): string[] {
  return engine.audit().map((c) => `${workers} workers, ${c.path}: ${c.says}`)
}

/** Nothing is lost: what was created was delivered or abandoned, and nothing is anywhere. */
function leftIn(engine: ClockedEngine, workers: number): string[] {
  const { underWay, waiting, onLinks, timers } = engine.standing()
  const [created, done] = [engine.stat("created"), engine.stat("delivered") + engine.stat("abandoned")]
  if (created === done && created > 0 && underWay + waiting + onLinks === 0) return []
  return [
    `${workers} workers, cycle ${engine.now}: ${created} packets created, ${done} delivered or given up, ` +
      `${waiting} buffers in use, ${onLinks} items in flight on links, ${timers} timers`,
  ]
}

/**
 * Copies the state of a clocked machine in the middle of a run, continues, restores the copy and continues again, also
 * in another machine of the same kind. Returns the differences.
 */
export function copied(spec: RunSpec, workers: number, middle: number, end: number, host = noFiles): string[] {
  const prepared = prepareFlit(spec, host)
  if ("bad" in prepared) return []
  const { compiled } = prepared.ok
  const layout = { ...partsFor(compiled, Math.min(workers, mostWorkers(compiled))), horizon: 2 * end, series: 256 }
  const build = () => {
    const engine = clockedEngine(compiled, layout)
    engine.columns.control[CONTROL.from] = 0
    return engine
  }
  const engine = build()
  engine.advance(middle)
  const snapshot = engine.snapshot()
  engine.advance(end)
  const says = engine.audit().map((c) => `${c.path}: ${c.says}`)
  const straight = engine.fingerprint()
  engine.restore(snapshot)
  engine.advance(end)
  if (engine.fingerprint() !== straight) says.push(`put back to cycle ${middle}, it comes to another state at ${end}`)
  const other = build()
  other.advance(Math.floor(middle / 2))
  other.restore(snapshot)
  other.advance(end)
  if (other.fingerprint() !== straight)
    says.push(`another machine that takes over at cycle ${middle} comes to another state at ${end}`)
  return says
}
