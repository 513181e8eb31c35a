// Nothing is allocated while cycles run (docs/architecture.md, law 1): a machine in a process of its own, with a young
// generation of 1 MiB, is warmed up and then runs a window of cycles without one garbage collection.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { beforeAll, expect, test } from "vitest"
import { plainMeasure, plainStream } from "../src/compile/plain-run.ts"
import type { NetworkSpec, RunSpec } from "../src/model/experiment.ts"
import { built, root } from "./support/build.ts"

const [WARM, CYCLES] = [8000, 16000]

beforeAll(() => void built())

function specOf(network: Partial<NetworkSpec>, packet: string): RunSpec {
  return {
    network: {
      topology: { name: "torus", sides: "4x4", p: 2 },
      routing: { name: "torus.dimension-order" },
      switch: { name: "input-queued", vcs: 4, buffer: "8flits" },
      endpoint: { name: "simple" },
      links: { end: "5cycles", link: "5cycles" },
      cycle: "1ns",
      flit: "10B",
      ...network,
    },
    engine: { name: "flit" },
    traffic: [plainStream({ load: 0.3, packet: { name: "fixed", size: packet } })],
    measure: plainMeasure({}),
    probes: [],
    seed: 1,
  }
}

function collections(spec: RunSpec): { collections: number; hops: number } {
  const flags = ["--expose-gc", "--min-semi-space-size=1", "--max-semi-space-size=1"]
  const order = JSON.stringify({ spec, warm: WARM, cycles: CYCLES })
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, join(root, "test/support/scavenges.mjs"), order],
    {
      encoding: "utf8",
    },
  )
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const tiled = { name: "tiled", vcs: 4, rows: 1, columns: 1 }
const ecn = { name: "ecn-window", window: "200flits" }

test.each<[string, RunSpec]>([
  ["input-queued", specOf({}, "4flits")],
  [
    "input-queued, packets in one piece",
    specOf({ switch: { name: "input-queued", vcs: 4, buffer: "16flits", flow: "cut-through" } }, "4flits"),
  ],
  ["tiled", specOf({ switch: tiled, endpoint: { name: "queue-pairs" } }, "12flits")],
  [
    "tiled with a stash and windows",
    specOf(
      {
        switch: { ...tiled, stash: { end: 0.5 }, reliability: true },
        endpoint: { name: "queue-pairs" },
        congestion: ecn,
      },
      "12flits",
    ),
  ],
])("%s: no garbage collection while cycles run", (_, spec) => {
  const got = collections(spec)
  expect(got.hops).toBeGreaterThan(20_000)
  expect(got.collections).toBe(0)
})

/** Where cycles may allocate, and why. */
const exceptions: readonly [string, RunSpec][] = [
  // src/switches/parts/allocator.ts makes arrays of requests and grants for the allocators that look at a whole router
  // at once
  [
    "allocators of whole routers",
    specOf(
      {
        switch: { name: "input-queued", vcs: 4, buffer: "8flits", vcAllocator: "wavefront", swAllocator: "wavefront" },
      },
      "4flits",
    ),
  ],
]
test.each(exceptions)("%s: an exception as long as it is one", (_, spec) => {
  expect(collections(spec).collections, "nothing is allocated any more: take it off the list").toBeGreaterThan(0)
})
