// Entry point of a worker thread that simulates some partitions of one clocked run. `gather` in worker-group.ts starts
// one thread for each worker except worker 0. A thread compiles the same specification, builds the same engine over the
// shared memory of worker 0, and then serves orders until it receives the order to stop.
import { parentPort, workerData } from "node:worker_threads"
import { keepCompiled } from "../compile-here.ts"
import type { GroupOrder } from "./worker-group.ts"

// This must run before the other modules are loaded, because it turns on the compile cache for them.
keepCompiled()
const { clockedEngine } = await import("../../compile/clocked/engine.ts")
const { compile } = await import("../../compile/compile.ts")
const { GROUP, WorkerGroup } = await import("../../engines/flit/worker-group.ts")
const { hostAt } = await import("../../experiment/disk/host.ts")
const { loadNamed } = await import("../../experiment/outside/load.ts")
const { breakOff } = await import("../worker-group/failure.ts")

const o = workerData as GroupOrder
// User-defined plug-ins must be the same files that the leader loaded, or the engines would differ.
const changed = await loadNamed(o.spec.plugins, o.folder, "this process")
if (changed.length > 0) throw new Error(JSON.stringify(changed))
const compiled = compile(o.spec, hostAt(o.folder, o.spec.plugins))
if ("bad" in compiled) throw new Error(JSON.stringify(compiled.bad))
// The workers build their engines one after the other. Each of them writes the initial state again, and must not do so
// while another one reads it. If one fails before its turn ends, the leader terminates the others, which ends this
// wait.
for (let turn = Atomics.load(o.sync, GROUP.turn); turn !== o.me - 1; turn = Atomics.load(o.sync, GROUP.turn))
  Atomics.wait(o.sync, GROUP.turn, turn)
const engine = clockedEngine(compiled.ok, {
  parts: o.parts,
  assign: o.assign,
  workers: o.size,
  horizon: o.horizon,
  series: o.series,
  adopt: o.memory,
})
Atomics.store(o.sync, GROUP.turn, o.me)
Atomics.notify(o.sync, GROUP.turn)
const team = new WorkerGroup(o.sync, o.size, o.me, o.crowded)
// The order number is read before "ready" is sent: the leader may give its first order at once.
const order = Atomics.load(o.sync, GROUP.order)
parentPort!.postMessage("ready")
try {
  team.serve(engine, order)
} catch (e) {
  // The leader reports the failure; this thread only stores it and releases the barrier.
  breakOff(o.failure, o.me, e)
  team.fail()
}
process.exit(0)
