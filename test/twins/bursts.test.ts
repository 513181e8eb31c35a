// Inputs that give back the room of several packets in a cycle: packets that are dropped, set aside, or lost. Their
// credits wait for their turn, one in each cycle, and rings, wheels and outboxes have room for all of them: the books
// of every sender are right, and any number of workers comes to the same bits. Many packets are a flit and some are
// more, so that a credit in the place of another one is seen.
import { expect, test } from "vitest"
import { check } from "../../src/api.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"

type Tree = Record<string, unknown>

/** Single flits for three endpoints, most of them dropped before they wait: in one window of 40 cycles a link has more
 *  credits than cycles. */
const dropped: Tree = {
  network: {
    topology: { name: "cmesh", k: 2, express: false },
    routing: "cmesh.dimension-order",
    switch: {
      name: "combined",
      vcs: 5,
      buffer: "96flits",
      depth: "each",
      output: "48flits",
      speed: 1,
      route: "3cycles",
      traverse: "1cycles",
    },
    endpoint: { name: "queue-pairs", ack: "0flits", active: 16 },
    congestion: { name: "lhrp", threshold: "1flits", vcs: 1 },
    links: { end: "3cycles", link: "40cycles", express: "40cycles" },
    flit: "8B",
  },
  traffic: { pattern: { name: "to-set", set: [0, 1, 3] }, load: 0.3, packet: "1flits", arrivals: "bernoulli" },
  measure: { warmup: "0cycles", window: "2100cycles", limit: "2200cycles", saturation: "never", drain: "none" },
}

/** Packets that leave the normal queue for a line or for the next switch, in the same cycle. */
const setAside: Tree = {
  network: {
    topology: { name: "mesh", sides: "3x2", p: 2 },
    routing: "mesh.dimension-order",
    switch: {
      ...{
        name: "queue-scheme",
        scheme: "fbicm-2",
        memory: "256flits",
        split: "static",
        credits: "nfq",
        timer: "16cycles",
      },
      ...{ detect: 4, stop: 2, go: 2, lines: 3, list: 4 },
    },
    endpoint: { name: "adapter", injection: "copy", detect: true },
    links: { end: "4cycles", link: "5cycles" },
    flit: "1B",
  },
  traffic: [
    { name: "long", pattern: "random-permutation", load: 0.15, packet: "8flits" },
    { name: "short", load: 0.3, packet: "1flits" },
  ],
  measure: { warmup: "0cycles", window: "5200cycles", limit: "5300cycles", saturation: "never", drain: "none" },
}

/** Half of the packets are lost on the only link, and give their room back as they come. */
const lost: Tree = {
  network: {
    topology: { name: "mesh", sides: "2", p: 4 },
    routing: "mesh.dimension-order",
    switch: {
      ...{ name: "tiled", rows: 1, columns: 1, vcs: 4, speed: 1, cap: {}, stash: { end: 0.5 }, reliability: true },
      ...{ errors: { link: 0.5 }, lost: 1, timeout: "2000cycles" },
    },
    endpoint: { name: "queue-pairs", ack: "1flit" },
    links: { end: "5cycles", link: "3cycles" },
    flit: "10B",
  },
  traffic: {
    pattern: {
      name: "fixed",
      pairs: [
        [0, 4],
        [1, 4],
        [2, 4],
        [3, 5],
        [5, 4],
        [6, 4],
      ],
    },
    ...{
      from: [0, 1, 2, 3, 5, 6],
      load: 0.9,
      packet: { name: "bimodal", short: "1flits", long: "8flits", share: 0.9 },
    },
  },
  measure: { warmup: "0cycles", window: "7200cycles", limit: "7300cycles", saturation: "never", drain: "none" },
}

test.each([
  ["dropped", dropped, 500],
  ["set aside", setAside, 2000],
  ["lost", lost, 500],
] as const)("%s", async (_, tree, least) => {
  const plan = await check({ lacewing: 1, title: "t", ...tree } as never)
  if ("bad" in plan) throw new Error(plan.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  const prints = new Set<string>()
  for (const workers of [1, 2, 4]) {
    const ready = prepare(plan.ok.runs[0].spec, { read: () => "" })
    if ("bad" in ready) throw new Error(ready.bad[0].says)
    // a run whose audit finds anything fails
    const { fingerprint, values } = await simulate(ready.ok, { workers, threads: false, audit: true })
    expect(values["packets"]).toBeGreaterThan(least)
    prints.add(fingerprint)
  }
  expect(prints.size).toBe(1)
})
