// Worker threads for one large run: they build the same machine over the first one's memory and run their partitions of it.
import { Worker } from "node:worker_threads"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { TEAM, Team } from "../../engines/flit/team.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { shared } from "../../model/graph.ts"

export interface TeamOrder {
  readonly spec: RunSpec
  readonly folder: string
  readonly parts: number
  readonly assign: Uint8Array
  readonly horizon: number
  readonly series: number
  readonly memory: readonly ArrayBufferLike[]
  readonly sync: Int32Array
  readonly size: number
  readonly me: number
}

function ready(worker: Worker): Promise<void> {
  return new Promise((done, fail) => {
    worker.once("message", () => done())
    worker.once("error", fail)
  })
}

/** Calls `size - 1` workers to the engine's side; answers how to send them home. */
export async function gather(engine: ClockedEngine, order: Omit<TeamOrder, "memory" | "sync" | "me">): Promise<() => Promise<void>> {
  const sync = shared(Int32Array, TEAM.words + TEAM.line * order.size)
  const workers = Array.from({ length: order.size - 1 }, (_, i) => {
    const workerData: TeamOrder = { ...order, memory: engine.memory, sync, me: i + 1 }
    return new Worker(new URL("./teammate.js", import.meta.url), { workerData })
  })
  try {
    await Promise.all(workers.map(ready))
  } catch (e) {
    // the others would wait for their turn
    await Promise.all(workers.map((w) => w.terminate()))
    throw e
  }
  engine.team = new Team(sync, order.size, 0)
  return async () => {
    engine.team!.call(0, -1)
    engine.team = undefined
    await Promise.all(workers.map((w) => new Promise((gone) => w.once("exit", gone))))
  }
}
