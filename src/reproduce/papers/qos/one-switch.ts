// One switch of the paper on the bench, for its drawings: structure is read off while packets pass.
import { transferEngine } from "../../../compile/clocked/transfers.ts"
import { compile } from "../../../compile/compile.ts"
import { plainMeasure, plainStream } from "../../../compile/plain-run.ts"
import type { TransferEngine } from "../../../engines/flit/transfers/engine.ts"
import { CONTROL } from "../../../fabric/flit.ts"
import type { Named, TrafficSpec } from "../../../model/experiment.ts"
import type { QosScheduler } from "../../../model/scheduler.ts"
import { NS, type Switch } from "./network.ts"

function compiled(sw: Switch, ports: number, traffic: readonly TrafficSpec[], qos?: Named, keys = {}) {
  const made = compile(
    {
      network: {
        topology: { name: "crossbar", n: ports },
        routing: { name: "crossbar.direct" },
        switch: { name: sw, ...keys },
        endpoint: { name: "simple" },
        links: { end: "1cycle" },
        cycle: `${NS}ns`,
        flit: "64B",
        ...(qos === undefined ? {} : { qos }),
      },
      engine: { name: "flit" },
      traffic,
      measure: plainMeasure({}),
      probes: [],
      seed: 1,
    },
    { read: (path) => path },
  )
  if ("bad" in made) throw new Error(made.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  return made.ok
}

/** `ports` endpoints on one switch. `keys`: of the switch. */
export function benchOf(sw: Switch, ports: number, traffic: readonly TrafficSpec[], keys = {}): TransferEngine {
  const engine = transferEngine(compiled(sw, ports, traffic, undefined, keys), { horizon: 20_000, series: 1024 })
  engine.columns.control[CONTROL.from] = 0
  return engine
}

/** A stream of one class from some endpoints to one; `load` 1 keeps its sources busy. */
export function stream(
  name: string,
  from: readonly number[],
  to: number,
  flits: number,
  vcClass: number,
  load: number,
): TrafficSpec {
  return plainStream({
    name,
    class: vcClass,
    load,
    from: from.map(String),
    pattern: { name: "to-set", set: [to] },
    packet: { name: "fixed", size: `${flits}flits` },
    arrivals: { name: "periodic", phase: "none" },
  })
}

/**
 * Sends one packet of two flits between each pair of ports, one after the other, alone in the switch. Returns its
 * cycles at [from * ports + to].
 */
export function crossings(sw: Switch, ports: number): number[] {
  return Array.from({ length: ports * ports }, (_, n) => {
    const [from, to] = [Math.floor(n / ports), n % ports]
    if (from === to) return Number.NaN
    const engine = benchOf(sw, ports, [stream("one", [from], to, 2, 0, 1e-4)])
    engine.advance(60)
    return engine.stat("latency") / engine.stat("measured")
  })
}

/**
 * The deficit table by itself, as a switch builds it, for these numbers of outputs and queues; `table`: queue:weight,
 * in order.
 */
export function deficitTable(rows: number, queues: number, table: string): QosScheduler {
  const { network } = compiled("infiniband", 2, [stream("one", [0], 1, 2, 0, 1e-4)], { name: "dtable", table })
  const ints = (n: number) => new Int32Array(n)
  const site = { rows, queues, unitBytes: 64, rate: 1, stream: (row: number) => row }
  return network.qos.build({ ...site, ints, reals: (n) => new Float64Array(n) })
}

/** Number of the accumulated weight among the values of an output; the last number is that of the deficits. */
const ACCUMULATED = 2

/** The accumulated weight and the deficits (bytes) of an output, as the deficit table lists them for a fingerprint. */
export function countersOf(scheduler: QosScheduler, row: number): { accumulated: number[]; deficits: number[] } {
  const values: number[][] = []
  scheduler.digest?.(row, (value, _, bits) => {
    values[value] = [...(values[value] ?? []), bits]
  })
  return { accumulated: values[ACCUMULATED] ?? [], deficits: values.at(-1) ?? [] }
}
