// Entry point of a thread that is one worker of a packet simulation. PacketWorkerGroup.gather (worker-group.ts) starts
// one for each worker except worker 0. It builds the same network from the specification, runs the JIT warm-up, and
// then serves the orders that worker 0 writes to shared memory.
import { parentPort, workerData } from "node:worker_threads"
import { keepCompiled } from "../compile-here.ts"
import type { MemberOrder, MemberState } from "./worker-group.ts"

// This must run before the other modules are loaded, because it turns on the compile cache for them.
keepCompiled()
const { compilePacket } = await import("../../compile/packet/compile.ts")
const { packetMachine } = await import("../../compile/packet/machine.ts")
const { noStats } = await import("../../engines/packet/sync.ts")
const { hostAt } = await import("../../experiment/disk/host.ts")
const { loadNamed } = await import("../../experiment/outside/load.ts")
const { breakOff } = await import("../worker-group/failure.ts")
const { makeCollector } = await import("../../measure/packet/collect.ts")
const { restoreWorker, sideOf } = await import("./run.ts")
const { DO, ORDER, serve, warmUp, watchFailure } = await import("./worker-group.ts")

const o = workerData as MemberOrder
const changed = await loadNamed(o.spec.plugins, o.folder, "this process")
if (changed.length > 0) throw new Error(JSON.stringify(changed))
const compiled = compilePacket(o.spec, hostAt(o.folder, o.spec.plugins))
if ("bad" in compiled) throw new Error(JSON.stringify(compiled.bad))
const collector = makeCollector(o.collect, o.memory, o.window)
const machine = packetMachine(compiled.ok.network, collector.collect, sideOf(o.plan, o.me))
// The warm-up compiles the code of this thread, and leaves no trace in the state.
warmUp(machine, o.memory, o.warm)
const stats = noStats()
if (o.from === undefined) machine.start()
else {
  restoreWorker(machine, stats, o.from.worker)
  collector.reopen(o.from.open)
}
/** Sends the state or the waiting chunks of this worker to worker 0, on the order DO.save or DO.waits. */
function tell(what: number): void {
  const state = (): MemberState => ({ worker: { machine: machine.save(), sync: stats }, open: collector.open() })
  o.port.postMessage(what === DO.waits ? machine.waits() : state())
}
const watch = () => watchFailure(o.team)
const { order } = o.team
// The order number is read before "ready" is sent: worker 0 may give its first order at once.
let number = Atomics.load(order, ORDER.number)
parentPort!.postMessage("ready")
let failed = false
try {
  for (;;) {
    while (Atomics.load(order, ORDER.number) === number) {
      // The timeout lets a thread notice that another one failed, even if no order follows.
      Atomics.wait(order, ORDER.number, number, 1000)
      watch()
    }
    // Orders are numbered, because the next one may already be there when this thread wakes up.
    number = (number + 1) | 0
    if (order[ORDER.what] === DO.stop) break
    serve(o.plan, machine, o.team, stats, { tell, watch })
  }
} catch (e) {
  // Worker 0 reports the failure.
  breakOff(o.team.failure, o.me, e)
  failed = true
}
if (!failed) parentPort!.postMessage(collector.open())
process.exit(0)
