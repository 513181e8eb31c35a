// Small networks of tiled switches, built as an experiment would build them.

import { partsFor } from "../../src/compile/clocked/engine.ts"
import { transferEngine } from "../../src/compile/clocked/transfers.ts"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { eachInChain, FLAG, PLACE, STATE } from "../../src/fabric/packets.ts"
import type { Named, NetworkSpec, RunSpec, TrafficSpec } from "../../src/model/experiment.ts"
import type { RoutingFunction } from "../../src/model/routing.ts"
import { measured, type NetworkOptions, stashingNetwork, stream } from "../../src/reproduce/papers/stashing/network.ts"
import { prepare, prepareFlit } from "../../src/run/simulate.ts"

const host = { read: (path: string): string => `no file ${path}` }

export function specOf(network: NetworkSpec, traffic: readonly TrafficSpec[], seed = 1): RunSpec {
  return { network, engine: { name: "flit" }, traffic, measure: measured(0, 100), probes: [], seed }
}

/** `parts`: 1, or any number; 0 = one for each group. `routing` instead of that of the specification. */
export function engineOf(spec: RunSpec, parts = 0, routing?: RoutingFunction): TransferEngine {
  const got = prepareFlit(spec, host)
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  const { compiled: made } = got.ok
  const compiled = routing === undefined ? made : { ...made, network: { ...made.network, routing } }
  const groups = compiled.network.topology.group
  const cut =
    parts === 0
      ? partsFor(compiled, 1)
      : parts === 1
        ? { parts: 1 }
        : { parts, assign: Uint8Array.from(groups ?? [], (g) => g % parts) }
  const engine = transferEngine(compiled, { horizon: 100_000, series: 1024, ...cut })
  engine.columns.control[CONTROL.from] = 0
  return engine
}

export function complaintsOf(spec: RunSpec): string[] {
  const got = prepare(spec, host)
  return "bad" in got ? got.bad.map((c) => `${c.path}: ${c.says} | ${c.fix}`) : []
}

/** The 110-endpoint dragonfly with uniform traffic of single packets. */
export function small(
  o: Omit<NetworkOptions, "net"> & { load: number; seed?: number; endpoint?: Named; stop?: string },
): RunSpec {
  const network = stashingNetwork({ ...o, net: "small" })
  return specOf(
    { ...network, ...(o.endpoint === undefined ? {} : { endpoint: o.endpoint }) },
    [stream("uniform", o.load, o.stop === undefined ? {} : { stop: o.stop })],
    o.seed ?? 1,
  )
}

/** Two switches of six ports (two of them links) in a row, four endpoints each. */
export function pair(latency: number, more: Record<string, unknown>, traffic: readonly TrafficSpec[]): RunSpec {
  return specOf(
    {
      topology: { name: "mesh", sides: "2", p: 4 },
      routing: { name: "mesh.dimension-order" },
      switch: { name: "tiled", rows: 2, columns: 2, cap: {}, ...more },
      endpoint: { name: "queue-pairs", ack: "0flits" },
      links: { end: "5ns", link: `${latency}ns` },
      cycle: "1ns",
      flit: "10B",
    },
    traffic,
  )
}

/** Runs until nothing is on its way and every record is free again; answers the cycle. */
export function drain(engine: TransferEngine, from: number, limit: number): number {
  engine.columns.control[CONTROL.quiet] = from
  engine.advance(from)
  const idle = () =>
    engine.inFlight() === 0 &&
    engine.sw.values(engine.now)["stash.copied"] === engine.sw.values(engine.now)["stash.deleted"]
  while (!idle() && engine.now < limit) engine.advance(engine.now + 500)
  return engine.now
}

/** One switch with so many endpoints; acknowledgements only where somebody waits for them. */
export function one(
  ports: number,
  params: Record<string, unknown>,
  traffic: readonly TrafficSpec[],
  congestion: Named = { name: "none" },
): RunSpec {
  const answered = params["reliability"] === true || congestion.name !== "none"
  return specOf(
    {
      topology: { name: "crossbar", n: ports },
      routing: { name: "crossbar.direct" },
      switch: {
        name: "tiled",
        cap: {},
        ...params,
        ...(params["stash"] === undefined ? {} : { stash: onlyEnds(params["stash"]) }),
      },
      endpoint: { name: "queue-pairs", ack: answered ? "1flit" : "0flits" },
      congestion,
      links: { end: "5ns" },
      cycle: "1ns",
      flit: "10B",
    },
    traffic,
  )
}

function onlyEnds(stash: unknown): Record<string, unknown> {
  return { end: typeof stash === "object" && stash !== null && "end" in stash ? stash.end : 0 }
}

/** Flits delivered so far. */
export function flitsOut(engine: TransferEngine): number {
  return engine.columns.endOut.reduce((a, b) => a + b, 0)
}

/** Free flits of the pool of each port. */
export function poolsOf(engine: TransferEngine): number[] {
  return Array.from(engine.sw.columns["poolFree"] ?? [])
}

/** Copies that live in the stash or on their way to it: the state of their tracking record, the port that holds them
 *  (0: none yet). */
export function copies(engine: TransferEngine): { state: number; place: number }[] {
  const { packets, fresh, freeHead } = engine.columns
  const { stride, packetSlots } = engine.constants
  const found: { state: number; place: number }[] = []
  for (let part = 0; part < engine.parts; part++) {
    const free = new Set<number>()
    eachInChain(packets, freeHead[part], (p) => free.add(p))
    for (let n = 1; n <= fresh[part]; n++) {
      const p = (part * packetSlots + n) * stride
      const word = packets[p + STATE]
      if (!free.has(p) && ((word >> 16) & FLAG.copy) !== 0) found.push({ state: word & 255, place: packets[p + PLACE] })
    }
  }
  return found
}
