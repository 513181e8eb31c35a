// Random small machines for the contracts of switches, endpoints and congestion managements: the configurations of the
// random matrix in which a plug-in is at work, run until the network is empty.
import { compilePacket, type PacketCompiled } from "../../src/compile/packet/compile.ts"
import { chunkTimes } from "../../src/compile/packet/machine.ts"
import { copied, MOST_STEPS, STEP, wrongWhenEmptied } from "../../src/inspect/contract/emptied.ts"
import {
  type CollectSpec,
  makeCollector,
  SUM,
  shareCollector,
  shareWindow,
  total,
} from "../../src/measure/packet/collect.ts"
import type { Named, RunSpec } from "../../src/model/experiment.ts"
import type { Host } from "../../src/model/host.ts"
import { configuration, engines } from "../../src/reproduce/peers/matrix/matrix.ts"
import { type Mode, PacketWorkers } from "../../src/run/packet/run.ts"
import { prepare } from "../../src/run/simulate.ts"

export const host: Host = { read: (path) => `no file ${path}` }

const SEED = 41
export type Slot = "switch" | "endpoint" | "congestion"
/** configurations that are looked through for each plug-in */
const MOST = 160

/** The first `count` configurations that have the plug-in and are not refused, all sources on from the first cycle;
 *  another sequence for each slot. */
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

/** messages that a packet simulation is expected to make before its sources are off: with large ones, few of them, 300
 *  cycles may pass without any */
const MESSAGES = 40

/** What is wrong with the machine when it is run to the end; nothing, if it is as it should be. */
export function wrongWith(spec: RunSpec): string[] {
  return spec.engine.name === "packet" ? wrongWithPacket(spec) : wrongWithClocked(spec)
}

function wrongWithClocked(spec: RunSpec): string[] {
  const says = wrongWhenEmptied(spec, BUSY)
  if (says === undefined) throw new Error("the configuration is refused")
  return [...says, ...copied(spec, 2, BUSY / 2, BUSY)]
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
    perCycle += (sending * traffic[i].load) / (packet.mean * message.mean)
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
  const run = new PacketWorkers(network, mode, (me) => makeCollector(collect, memories[me], window).collect)
  let now = busy
  run.advance(now * cycle)
  for (let i = 0; i < MOST_STEPS && !run.idle(); i++) run.advance((now += STEP) * cycle)
  const delivered = total(memories, SUM.delivered, -1, streams.length)
  const waits = run.waits().reduce((n, w) => n + w, 0)
  const hash = memories.reduce((h, m) => (h + m.hash[0]) | 0, 0)
  const empty = run.idle() && run.inUse() === 0 && !run.open(Number.MAX_SAFE_INTEGER) && waits === 0 && delivered > 0
  return {
    text: `${hash} ${delivered} delivered, ${run.sent().reduce((a, b) => a + b, 0)} flits sent`,
    left: empty
      ? ""
      : `${delivered} delivered, ${run.inUse()} records in use, ` +
        `${run.pending()} events to come, ${waits} channels wait`,
  }
}
