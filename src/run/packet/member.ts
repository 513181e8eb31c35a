// Entry of a thread that is one worker of a packet simulation (team.ts).
import { parentPort, workerData } from "node:worker_threads"
import { compilePacket } from "../../compile/packet/compile.ts"
import { packetMachine } from "../../compile/packet/machine.ts"
import { noStats } from "../../engines/packet/sync.ts"
import { hostAt } from "../../experiment/disk/host.ts"
import { loadNamed } from "../../experiment/outside/load.ts"
import { makeCollector } from "./collect.ts"
import { breakOff } from "./failure.ts"
import { restoreWorker, sideOf } from "./run.ts"
import { DO, type MemberOrder, type MemberState, ORDER, serve, warmUp } from "./team.ts"

const o = workerData as MemberOrder
const changed = await loadNamed(o.spec.plugins, o.folder)
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
const { order } = o.team
let number = Atomics.load(order, ORDER.number)
parentPort!.postMessage("ready")
let failed = false
try {
  for (;;) {
    Atomics.wait(order, ORDER.number, number)
    if (Atomics.load(order, ORDER.number) === number) continue
    number++
    if (order[ORDER.what] === DO.stop) break
    serve(o.plan, machine, o.team, stats, tell)
  }
} catch (e) {
  // the worker that gives the orders reports it
  breakOff(o.team.failure, e)
  failed = true
}
if (!failed) parentPort!.postMessage(collector.open())
process.exit(0)
