// Collectives on idle hardware against closed forms. A round that sends n bytes takes n / B on a link of B bytes per
// second. Each further link of the longest path stores one chunk, which takes c / B. Delays are 1 ns and small.
import { describe, expect, test } from "vitest"
import { defineExperiment, run } from "../../src/api.ts"

/** GB/s, which are bytes per ns, of a network interface and of a scale-up link */
const [NIC, SCALE_UP] = [50, 450]
const MiB = 2 ** 20
const CHUNK = 4096

type Tree = Record<string, unknown>
const rails = (islands: number, gpus: number): Tree => ({
  topology: { name: "rail-optimised", islands, gpus, spines: 0 },
  routing: "rail-optimised.minimal",
  links: { end: "0ns", "scale-up": "1ns", nic: "1ns" },
})
const island = { rates: { end: "36TB/s", "scale-up": `${SCALE_UP}GB/s` } }
const networks: Readonly<Record<string, { network: Tree; switch?: Tree }>> = {
  crossbar: { network: { topology: { name: "crossbar", n: 8 }, routing: "crossbar.direct" } },
  "scale-up island": { network: rails(1, 4), switch: island },
  "rail-optimised": { network: rails(2, 4), switch: island },
  clos: {
    network: {
      topology: { name: "clos", leaves: 4, spines: 4, p: 4, links: 1 },
      routing: { name: "any.up-down", levels: "ends", spread: "least-queued" },
    },
  },
  hammingmesh: {
    network: { topology: { name: "hammingmesh", a: 2, b: 2, x: 2, y: 2 }, routing: "hammingmesh.dimension-order" },
    switch: { vcs: 2 },
  },
}

interface Called {
  readonly on: keyof typeof networks
  readonly ranks: number
  readonly call: string
  readonly algorithm: string
  readonly bytes: number
}

/** Returns the ns of one call, and its bandwidths. */
async function timeOf({ on, ranks, call, algorithm, bytes }: Called) {
  const { network, switch: more } = networks[on]
  const got = await run(
    defineExperiment({
      lacewing: 1,
      title: `${call} on ${on}`,
      network: {
        ...network,
        switch: {
          name: "chunk",
          vcs: 1,
          chunk: `${CHUNK}B`,
          buffer: "64KiB",
          // A GPU must not hold back data for the scale-up network behind data for its network interface.
          endBuffer: "3MiB",
          bandwidth: `${NIC}GB/s`,
          delay: "1ns",
          credit: "1ns",
          ...more,
        },
        endpoint: { name: "rails", packet: `${CHUNK}B`, queue: "64KiB", nic: "0ns" },
        cycle: "1ns",
        flit: "64B",
      },
      engine: "packet",
      jobs: [
        {
          name: "app",
          workload: { name: "collective", ranks, call, bytes: `${bytes}B` },
          mpi: { eager: "1GiB", node: 4, algorithms: { [call]: algorithm } },
        },
      ],
      measure: { until: "jobs", limit: "100ms" },
    } as never),
  )
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  const { values } = got.ok.records[0].result
  const [time, bus] = [values["jobs.time"], values["jobs.bandwidth.bus"]]
  return { time, bus, algorithm: values["jobs.bandwidth.algorithm"] }
}

/** Returns the ns of `rounds` rounds of n bytes each over paths of `links` links. */
const rounds = (count: number, n: number, links: number, rate = NIC): number =>
  (count * (n + (links - 1) * CHUNK)) / rate

/** Ring and pairwise have p - 1 rounds. Halving-doubling has rounds of m/2, m/4 and m/8, and the same back. */
const cases: readonly (readonly [Called, number])[] = [
  [{ on: "crossbar", ranks: 8, call: "allreduce", algorithm: "ring", bytes: 8 * MiB }, rounds(14, MiB, 2)],
  [
    { on: "crossbar", ranks: 8, call: "allreduce", algorithm: "halving-doubling", bytes: 8 * MiB },
    [4, 2, 1].reduce((sum, n) => sum + rounds(2, n * MiB, 2), 0),
  ],
  // Two ranks are the only tree without two senders at one port. Its 32 segments take 32 steps in each direction.
  [{ on: "crossbar", ranks: 2, call: "allreduce", algorithm: "tree", bytes: 8 * MiB }, rounds(64, MiB / 8, 2)],
  [{ on: "crossbar", ranks: 8, call: "reduce-scatter", algorithm: "ring", bytes: MiB }, rounds(7, MiB, 2)],
  [{ on: "crossbar", ranks: 8, call: "allgather", algorithm: "ring", bytes: MiB }, rounds(7, MiB, 2)],
  [{ on: "crossbar", ranks: 8, call: "alltoall", algorithm: "pairwise", bytes: MiB }, rounds(7, MiB, 2)],
  [
    { on: "scale-up island", ranks: 4, call: "allreduce", algorithm: "ring", bytes: 8 * MiB },
    rounds(6, 2 * MiB, 2, SCALE_UP),
  ],
  [
    { on: "scale-up island", ranks: 4, call: "alltoall", algorithm: "pairwise", bytes: 2 * MiB },
    rounds(3, 2 * MiB, 2, SCALE_UP),
  ],
  // A ring crosses between islands once in each direction.
  [{ on: "rail-optimised", ranks: 8, call: "allreduce", algorithm: "ring", bytes: 4 * MiB }, rounds(14, MiB / 2, 2)],
  // A ring for each rail, with a quarter of the vector.
  [
    { on: "rail-optimised", ranks: 8, call: "allreduce", algorithm: "ring-channels", bytes: 12 * MiB },
    rounds(14, (12 / 4 / 8) * MiB, 2),
  ],
  // Reduce-scatter and all-gather in the island, and a ring between two islands for a quarter of the vector.
  [
    { on: "rail-optimised", ranks: 8, call: "allreduce", algorithm: "hierarchical", bytes: 12 * MiB },
    rounds(6, 3 * MiB, 2, SCALE_UP) + rounds(2, 1.5 * MiB, 2),
  ],
  // Three rounds stay in the island, and four cross to the other one.
  [
    { on: "rail-optimised", ranks: 8, call: "alltoall", algorithm: "pairwise", bytes: MiB },
    rounds(3, MiB, 2, SCALE_UP) + rounds(4, MiB, 2),
  ],
  [{ on: "clos", ranks: 16, call: "allreduce", algorithm: "ring", bytes: 16 * MiB }, rounds(30, MiB, 4)],
  // Three rounds stay under the leaf.
  [
    { on: "clos", ranks: 16, call: "alltoall", algorithm: "pairwise", bytes: MiB },
    rounds(3, MiB, 2) + rounds(12, MiB, 4),
  ],
  // Neighbours on two boards are two links apart, over the switch of their row.
  [{ on: "hammingmesh", ranks: 16, call: "allreduce", algorithm: "ring", bytes: 16 * MiB }, rounds(30, MiB, 4)],
]

/** Bus bandwidth over algorithm bandwidth, as nccl-tests define it. */
const factor = ({ call, ranks }: Called): number => ((call === "allreduce" ? 2 : 1) * (ranks - 1)) / ranks

describe("time within 1 % of its closed form", () => {
  test.each(cases.map(([c, ns]) => [`${c.call}, ${c.algorithm}, ${c.ranks} ranks on ${c.on}`, c, ns] as const))(
    "%s",
    async (_, called, expected) => {
      const got = await timeOf(called)
      expect(got.time / expected).toBeGreaterThan(0.99)
      expect(got.time / expected).toBeLessThan(1.01)
      expect(got.bus).toBeCloseTo(factor(called) * got.algorithm, 6)
    },
  )
})
