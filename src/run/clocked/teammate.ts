// Entry of a worker thread that helps with one run (team.ts).
import { parentPort, workerData } from "node:worker_threads"
import { keepCompiled } from "../compile-here.ts"
import type { TeamOrder } from "./team.ts"

// before all else is loaded
keepCompiled()
const { clockedEngine } = await import("../../compile/clocked/engine.ts")
const { compile } = await import("../../compile/compile.ts")
const { TEAM, Team } = await import("../../engines/flit/team.ts")
const { hostAt } = await import("../../experiment/disk/host.ts")
const { loadNamed } = await import("../../experiment/outside/load.ts")
const { breakOff } = await import("../team/failure.ts")

const o = workerData as TeamOrder
const changed = await loadNamed(o.spec.plugins, o.folder, "this process")
if (changed.length > 0) throw new Error(JSON.stringify(changed))
const compiled = compile(o.spec, hostAt(o.folder, o.spec.plugins))
if ("bad" in compiled) throw new Error(JSON.stringify(compiled.bad))
// one after the other: each writes the initial state anew, and must not do so while another reads it. If one fails before its turn is over,
// the leader terminates the others, which also ends this wait
for (let turn = Atomics.load(o.sync, TEAM.turn); turn !== o.me - 1; turn = Atomics.load(o.sync, TEAM.turn))
  Atomics.wait(o.sync, TEAM.turn, turn)
const engine = clockedEngine(compiled.ok, {
  parts: o.parts,
  assign: o.assign,
  workers: o.size,
  horizon: o.horizon,
  series: o.series,
  adopt: o.memory,
})
Atomics.store(o.sync, TEAM.turn, o.me)
Atomics.notify(o.sync, TEAM.turn)
const team = new Team(o.sync, o.size, o.me)
const order = Atomics.load(o.sync, TEAM.order)
parentPort!.postMessage("ready")
try {
  team.serve(engine, order)
} catch (e) {
  // the thread that gives the orders reports it
  breakOff(o.failure, o.me, e)
  team.fail()
}
process.exit(0)
