// The networks of `lacewing bench parallel`: of the packet engine under every synchronisation, of the clocked engines
// in their windows.
import { plainMeasure, plainStream } from "../../../compile/plain-run.ts"
import type { RunSpec } from "../../../model/experiment.ts"

export interface ParallelNetwork {
  readonly name: string
  readonly about: string
  /** simulated microseconds by default; a cycle of the clocked engines is a nanosecond */
  readonly us: number
  /** runs only where --match names it */
  readonly large?: boolean
  spec(us: number, credit: string): RunSpec
}

/** After a twentieth of its time everything counts. */
function measured(us: number): RunSpec["measure"] {
  return plainMeasure({ warmup: `${us / 20}us`, window: `${us - us / 20}us`, limit: `${us}us` })
}

function chunks(topology: RunSpec["network"]["topology"], routing: string, load: number) {
  return (us: number, credit: string): RunSpec => ({
    network: {
      topology,
      routing: { name: routing },
      switch: { name: "chunk", bandwidth: "12.5GiB/s", credit },
      endpoint: { name: "rails" },
      links: { end: "0ns", local: "0ns", global: "0ns" },
      cycle: "1ns",
      flit: "64B",
    },
    engine: { name: "packet" },
    traffic: [plainStream({ arrivals: { name: "poisson" }, packet: { name: "fixed", size: "4KiB" }, load })],
    measure: measured(us),
    probes: [],
    seed: 1,
  })
}

/** A torus of side x side routers, flit by flit; `bench growth` runs it as well. */
export function torusSpec(side: number, measure: RunSpec["measure"]): RunSpec {
  return {
    network: {
      topology: { name: "torus", k: side, n: 2 },
      routing: { name: "torus.dimension-order" },
      switch: { name: "input-queued", vcs: 4, buffer: "8flits" },
      endpoint: { name: "simple" },
      links: {},
      cycle: "1ns",
      flit: "8B",
    },
    engine: { name: "flit" },
    // a packet crosses side / 4 links in each dimension: the same load of every channel at any size
    traffic: [plainStream({ load: 2.4 / side })],
    measure,
    probes: [],
    seed: 1,
  }
}

function combined(us: number): RunSpec {
  return {
    network: {
      topology: { name: "dragonfly", p: 8, a: 16, h: 8 },
      routing: { name: "dragonfly.ugal-l" },
      switch: { name: "combined", vcs: 4, buffer: "256flits" },
      endpoint: { name: "simple" },
      links: { end: "5ns", local: "25ns", global: "100ns" },
      cycle: "1ns",
      flit: "16B",
    },
    engine: { name: "flit" },
    traffic: [plainStream({ packet: { name: "fixed", size: "32flits" }, load: 0.5 })],
    measure: measured(us),
    probes: [],
    seed: 1,
  }
}

export const parallelNetworks: readonly ParallelNetwork[] = [
  {
    name: "slimfly",
    about: "Slim Fly of 3,042 endpoints, adaptive, load 0.5",
    us: 500,
    spec: chunks({ name: "slimfly", q: 13, p: 9 }, "slimfly.ugal-l", 0.5),
  },
  {
    name: "dragonfly",
    about: "dragonfly of 16,512 endpoints, adaptive, load 0.5",
    us: 100,
    spec: chunks({ name: "dragonfly", p: 8, a: 16, h: 8 }, "dragonfly.ugal-l", 0.5),
  },
  {
    name: "million",
    about: "dragonfly of 1,025,156 endpoints, minimal, load 0.2",
    us: 5,
    large: true,
    spec: chunks({ name: "dragonfly", p: 23, a: 44, h: 23 }, "dragonfly.minimal", 0.2),
  },
  {
    name: "torus-4096",
    about: "torus of 4,096 endpoints flit by flit, channels loaded by 0.6",
    us: 3,
    spec: (us) => torusSpec(64, measured(us)),
  },
  {
    name: "torus-65536",
    about: "torus of 65,536 endpoints flit by flit, channels loaded by 0.6",
    us: 0.6,
    spec: (us) => torusSpec(256, measured(us)),
  },
  {
    name: "combined",
    about: "dragonfly of 16,512 endpoints, combined switch, whole packets of 32 flits, adaptive, load 0.5",
    us: 1.5,
    spec: combined,
  },
]
