// Bus bandwidth of all-reduces on a rail-optimised network with idle hardware, against closed forms.
import { describe, expect, test } from "vitest"
import { defineExperiment, run } from "../src/api.ts"

/** GB/s of a network interface and of a scale-up link */
const [NIC, SCALE_UP] = [50, 450]

/** Returns the bus bandwidth in GB/s. */
async function busOf(islands: number, gpus: number, algorithm: string, bytes: string): Promise<number> {
  const got = await run(
    defineExperiment({
      lacewing: 1,
      title: "All-reduce",
      network: {
        topology: { name: "rail-optimised", islands, gpus, spines: 0 },
        routing: "rail-optimised.minimal",
        switch: {
          name: "chunk",
          vcs: 1,
          chunk: "4KiB",
          buffer: "64KiB",
          // A GPU must not hold back data for the scale-up network behind data for its network interface.
          endBuffer: "3MiB",
          bandwidth: `${NIC}GB/s`,
          rates: { end: "36TB/s", "scale-up": `${SCALE_UP}GB/s` },
          delay: "1ns",
          credit: "1ns",
        },
        endpoint: { name: "rails", packet: "4KiB", queue: "64KiB", nic: "0ns" },
        links: { end: "0ns", "scale-up": "1ns", nic: "1ns" },
        flit: "64B",
      },
      engine: "packet",
      jobs: [
        {
          name: "app",
          workload: { name: "collective", ranks: islands * gpus, call: "allreduce", bytes },
          mpi: { eager: "1GiB", node: gpus, algorithms: { allreduce: algorithm } },
        },
      ],
      measure: { until: "jobs", limit: "100ms" },
    } as never),
  )
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  const { values } = got.ok.records[0].result
  // 2 (p - 1) / p of the algorithm bandwidth
  const p = islands * gpus
  expect(values["jobs.bandwidth.bus"]).toBeCloseTo(((2 * (p - 1)) / p) * values["jobs.bandwidth.algorithm"], 6)
  return values["jobs.bandwidth.bus"]
}

describe("bus bandwidth within 1 % of", () => {
  test("one network interface: a ring crosses between islands once in each direction", async () => {
    // 8 pieces of 1 MiB: 21.0 us on an interface, and about 0.1 us for the last chunk and the routers
    const bus = await busOf(2, 4, "ring", "8MiB")
    expect(bus / NIC).toBeGreaterThan(0.99)
    expect(bus / NIC).toBeLessThan(1.001)
  })
  test("all interfaces of an island: a ring for each rail", async () => {
    // 4 rings of 8 pieces of 768 KiB: 15.7 us on an interface
    const bus = await busOf(2, 4, "ring-channels", "24MiB")
    expect(bus / (4 * NIC)).toBeGreaterThan(0.99)
    expect(bus / (4 * NIC)).toBeLessThan(1.001)
  })
  test("a scale-up link: a ring inside an island", async () => {
    // 4 pieces of 4 MiB: 9.3 us
    const bus = await busOf(1, 4, "ring", "16MiB")
    expect(bus / SCALE_UP).toBeGreaterThan(0.99)
    expect(bus / SCALE_UP).toBeLessThan(1.001)
  })
})
