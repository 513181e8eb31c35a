// Entry of a thread that is one worker of a packet simulation (team.ts).
import { parentPort, workerData } from "node:worker_threads"
import { keepCompiled } from "../compile-here.ts"
import type { MemberOrder, MemberState } from "./team.ts"

// before all else is loaded
keepCompiled()
const { compilePacket } = await import("../../compile/packet/compile.ts")
const { packetMachine } = await import("../../compile/packet/machine.ts")
const { noStats } = await import("../../engines/packet/sync.ts")
const { hostAt } = await import("../../experiment/disk/host.ts")
const { loadNamed } = await import("../../experiment/outside/load.ts")
const { breakOff } = await import("../team/failure.ts")
const { makeCollector } = await import("./collect.ts")
const { restoreWorker, sideOf } = await import("./run.ts")
const { DO, ORDER, serve, warmUp, watchFailure } = await import("./team.ts")

const o = workerData as MemberOrder
const changed = await loadNamed(o.spec.plugins, o.folder, "this process")
if (changed.length > 0) throw new Error(JSON.stringify(changed))
const compiled = compilePacket(o.spec, hostAt(o.folder, o.spec.plugins))
if ("bad" in compiled) throw new Error(JSON.stringify(compiled.bad))
const collector = makeCollector(o.collect, o.memory, o.window)
const machine = packetMachine(compiled.ok.network, collector.collect, sideOf(o.plan, o.me))
warmUp(machine, o.memory, o.warm)
const stats = noStats()
if (o.from === undefined) machine.start()
else {
  restoreWorker(machine, stats, o.from.worker)
  collector.reopen(o.from.open)
}
/** What the thread that gives the orders asks for: who waits, or all that this one knows. */
function tell(what: number): void {
  const state = (): MemberState => ({ worker: { machine: machine.save(), sync: stats }, open: collector.open() })
  o.port.postMessage(what === DO.waits ? machine.waits() : state())
}
const watch = () => watchFailure(o.team)
const { order } = o.team
let number = Atomics.load(order, ORDER.number)
parentPort!.postMessage("ready")
let failed = false
try {
  for (;;) {
    while (Atomics.load(order, ORDER.number) === number) {
      Atomics.wait(order, ORDER.number, number, 1000)
      watch()
    }
    number = (number + 1) | 0
    if (order[ORDER.what] === DO.stop) break
    serve(o.plan, machine, o.team, stats, { tell, watch })
  }
} catch (e) {
  // the worker that gives the orders reports it
  breakOff(o.team.failure, o.me, e)
  failed = true
}
if (!failed) parentPort!.postMessage(collector.open())
process.exit(0)
