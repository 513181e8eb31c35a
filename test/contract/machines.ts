// Random small machines for the contracts of switches, endpoints and congestion managements: the configurations of the random matrix in which a plug-in is at
// work, run until the network is empty.
import { clockedEngine, mostWorkers, partsFor } from "../../src/compile/clocked/engine.ts"
import { compilePacket, type PacketCompiled } from "../../src/compile/packet/compile.ts"
import { chunkTimes } from "../../src/compile/packet/machine.ts"
import type { ClockedEngine } from "../../src/engines/flit/clocked.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import type { Named, RunSpec } from "../../src/model/experiment.ts"
import type { Host } from "../../src/model/host.ts"
import { configuration, engines } from "../../src/peers/matrix/matrix.ts"
import { copied } from "../../src/peers/matrix/trial.ts"
import { type CollectSpec, makeCollector, SUM, shareCollector, shareWindow, total } from "../../src/run/packet/collect.ts"
import { type Mode, PacketCrew } from "../../src/run/packet/run.ts"
import { prepare, prepareFlit } from "../../src/run/simulate.ts"

export const host: Host = { read: (path) => `no file ${path}` }

const SEED = 41
export type Slot = "switch" | "endpoint" | "congestion"
/** configurations that are looked through for each plug-in */
const MOST = 160

/** The first `count` configurations that have the plug-in and are not refused, all sources on from the first cycle; another sequence for each slot. */
export function machinesWith(slot: Slot, name: string, count: number): RunSpec[] {
  const found: RunSpec[] = []
  for (let i = 0; i < MOST && found.length < count; i++)
    for (const engine of engines) {
      const drawn = configuration(engine, SEED + slot.length, i).spec
      const spec = { ...drawn, traffic: drawn.traffic.map((t) => ({ ...t, start: "0cycles", stop: "never" })) }
      const used: Named = spec.network[slot] ?? { name: "none" }
      if (used.name === name && found.length < count && "ok" in prepare(spec, host)) found.push(spec)
    }
  return found
}

/** Cycles of traffic; then sources are off. */
const BUSY = 300
const STEP = 250
/** a timer of 2,000 cycles, doubled with each retry, is the longest thing that a network of the matrix waits for */
const MOST_STEPS = 200

/** messages that a packet simulation is expected to make before its sources are off: with large ones, few of them, 300 cycles may pass without any */
const MESSAGES = 40

/** What is wrong with the machine when it is run to the end; nothing, if it is as it should be. */
export function wrongWith(spec: RunSpec): string[] {
  return spec.engine.name === "packet" ? wrongWithPacket(spec) : wrongWithClocked(spec)
}

function wrongWithClocked(spec: RunSpec): string[] {
  const prepared = prepareFlit(spec, host)
  if ("bad" in prepared) throw new Error("the configuration is refused")
  const { compiled } = prepared.ok
  const says: string[] = []
  const ends = [1, 2, 4].map((workers) => {
    const engine = clockedEngine(compiled, {
      ...partsFor(compiled, Math.min(workers, mostWorkers(compiled))),
      horizon: 2 * BUSY,
      series: 256,
    })
    engine.columns.control[CONTROL.from] = 0
    engine.advance(BUSY)
    const middle = engine.fingerprint()
    says.push(...auditOf(engine, workers))
    engine.columns.control[CONTROL.quiet] = BUSY
    for (let i = 0; i < MOST_STEPS && (engine.busy || engine.onWires() > 0); i++) engine.advance(engine.now + STEP)
    says.push(...auditOf(engine, workers), ...leftIn(engine, workers))
    return `${middle} ${engine.fingerprint()}, ${engine.stat("created")} created, ${engine.stat("delivered")} delivered`
  })
  if (new Set(ends).size > 1) says.push(`1, 2 and 4 workers: ${ends.join("; ")}`)
  return [...says, ...copied(spec, 2, BUSY / 2, BUSY)]
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

function wrongWithPacket(spec: RunSpec): string[] {
  const endless = compilePacket(spec, host)
  if ("bad" in endless) throw new Error("the configuration is refused")
  const busy = busyTime(spec, endless.ok)
  const off = { ...spec, traffic: spec.traffic.map((t) => ({ ...t, stop: `${busy}cycles` })) }
  const compiled = compilePacket(off, host)
  if ("bad" in compiled) throw new Error("the configuration is refused")
  const optimism = { window: compiled.ok.optimism, interval: compiled.ok.engine.interval }
  const routers = compiled.ok.network.topology.graph.routers
  const modes: Mode[] = [
    { sync: "sequential" },
    { sync: "windows", workers: Math.min(2, routers) },
    { sync: "nulls", workers: Math.min(4, routers) },
    { sync: "optimistic", workers: Math.min(2, routers), optimism },
  ]
  const says: string[] = []
  const ends = modes.map((mode) => {
    const { text, left } = emptied(compiled.ok, mode, busy)
    if (left !== "") says.push(`${mode.sync}: ${left}`)
    return text
  })
  if (new Set(ends).size > 1) says.push(`${modes.map((m) => m.sync).join(", ")}: ${ends.join("; ")}`)
  return says
}

/** Cycles in which so many messages are expected: a message is its flits long, at the load of its stream. */
function busyTime({ traffic }: RunSpec, { network, streams }: PacketCompiled): number {
  const { ends } = network.topology.graph
  let perCycle = 0
  for (const [i, { senders, packet, message }] of streams.entries()) {
    const sending = senders === undefined ? ends : senders.filter((sends) => sends === 1).length
    perCycle += (sending * traffic[i]!.load) / (packet.mean * message.mean)
  }
  return Math.max(BUSY, Math.ceil(MESSAGES / perCycle))
}

function emptied({ network, streams }: PacketCompiled, mode: Mode, busy: number): { text: string; left: string } {
  const { graph } = network.topology
  const { cycle } = network
  const collect: CollectSpec = {
    streams: streams.length,
    ends: graph.ends,
    cycle,
    interval: STEP * cycle,
    intervals: MOST_STEPS,
    times: chunkTimes(network),
    routers: graph.routers,
  }
  const window = shareWindow()
  window[0] = 0
  window[1] = Number.POSITIVE_INFINITY
  const memories = Array.from({ length: mode.sync === "sequential" ? 1 : mode.workers }, () => shareCollector(collect))
  const run = new PacketCrew(network, mode, (me) => makeCollector(collect, memories[me]!, window).collect)
  let now = busy
  run.advance(now * cycle)
  for (let i = 0; i < MOST_STEPS && !run.idle(); i++) run.advance((now += STEP) * cycle)
  const delivered = total(memories, SUM.delivered, -1, streams.length)
  const waits = run.waits().reduce((n, w) => n + w, 0)
  const hash = memories.reduce((h, m) => (h + m.hash[0]!) | 0, 0)
  const empty = run.idle() && run.inUse() === 0 && !run.open(Number.MAX_SAFE_INTEGER) && waits === 0 && delivered > 0
  return {
    text: `${hash} ${delivered} delivered, ${run.sent().reduce((a, b) => a + b, 0)} flits sent`,
    left: empty ? "" : `${delivered} delivered, ${run.inUse()} records in use, ${run.pending()} events to come, ${waits} channels wait`,
  }
}
