// Small experiments in which every plug-in is at work, and other values for each of their keys, read from the schemas.
import type { FieldInfo } from "../../src/core/schema.ts"
import { isMap } from "../../src/experiment/fields.ts"

export type Tree = Record<string, unknown>

/** Keys with dots set in a copy of a tree. */
export function changed(tree: Tree, settings: Readonly<Record<string, unknown>>): Tree {
  const copy = structuredClone(tree)
  for (const [path, value] of Object.entries(settings)) {
    const keys = path.split(".")
    let at: Tree = copy
    keys.forEach((key, n) => {
      // A named property of a list would be lost when the tree is written, and the change would have no effect.
      if (Array.isArray(at) && !/^\d+$/.test(key)) throw new Error(`${path}: ${key} is not an index of a list`)
      if (n === keys.length - 1) at[key] = value
      else {
        const next = at[key]
        at =
          isMap(next) || Array.isArray(next)
            ? (next as Tree)
            : ((at[key] = typeof next === "string" ? { name: next } : {}) as Tree)
      }
    })
  }
  return copy
}

const window = { warmup: "0cycles", window: "240cycles", limit: "240cycles", drain: "none", saturation: "never" }

export const flit: Tree = {
  lacewing: 1,
  network: {
    topology: { name: "mesh", sides: "3x3" },
    routing: "mesh.dimension-order",
    switch: { name: "input-queued" },
  },
  traffic: { pattern: "uniform", load: 0.5, packet: "3flits" },
  measure: window,
}

/** Wormhole and cut-through routers, shared buffers, several streams: whatever one of the keys needs. */
export const packet: Tree = {
  lacewing: 1,
  network: {
    topology: { name: "torus", sides: "3x3" },
    routing: "torus.dimension-order",
    switch: {
      name: "chunk",
      vcs: 4,
      chunk: "1KiB",
      buffer: "4KiB",
      bandwidth: "8GiB/s",
      delay: "20ns",
      credit: "20ns",
    },
    endpoint: { name: "rails", packet: "2KiB", queue: "8KiB" },
    links: { link: "10ns" },
  },
  engine: "packet",
  traffic: { pattern: "uniform", arrivals: "poisson", load: 0.7, packet: "4KiB" },
  measure: { ...window, window: "3us", limit: "3us" },
}

/** Four switches in a square, three endpoints each, with long and short packets: queues fill, the crossbars are faster
 *  than the links. */
export const combined: Tree = {
  lacewing: 1,
  network: {
    topology: { name: "mesh", sides: "2x2", p: 3 },
    routing: { name: "any.shortest", spread: "least-queued" },
    switch: { name: "combined", vcs: 3, buffer: "24flits", output: "16flits" },
    endpoint: { name: "simple" },
    links: { end: "2cycles", link: "9cycles" },
  },
  traffic: [
    { name: "hot", pattern: { name: "to-set", set: [0] }, load: 0.3, packet: "8flits", message: "3packets" },
    { name: "all", pattern: "uniform", load: 0.6, packet: "5flits" },
  ],
  measure: { ...window, window: "900cycles", limit: "900cycles" },
}

/** The same with a class for each stream: VLs share small buffers and links. */
export const infiniband: Tree = {
  lacewing: 1,
  network: {
    topology: { name: "mesh", sides: "2x2", p: 3 },
    routing: { name: "any.shortest", spread: "least-queued" },
    switch: { name: "infiniband", vcs: 4, input: "48flits", output: "48flits", reservedPerVl: "8flits" },
    endpoint: { name: "simple" },
    links: { end: "2cycles", link: "9cycles" },
    flit: "64B",
  },
  traffic: [
    { name: "hot", pattern: { name: "to-set", set: [0] }, load: 0.3, packet: "8flits", message: "3packets" },
    { name: "all", pattern: "uniform", load: 0.6, packet: "5flits", class: 1 },
  ],
  measure: { ...window, window: "900cycles", limit: "900cycles" },
}

/** A small tree, half of whose endpoints send to one of them: queues fill up to the sources. */
export const queueScheme: Tree = {
  lacewing: 1,
  network: {
    topology: { name: "tree", k: 3, n: 2 },
    routing: "tree.destination-digit",
    switch: { name: "queue-scheme", memory: "96flits" },
    endpoint: { name: "adapter" },
    links: { end: "2cycles", link: "3cycles" },
  },
  traffic: [
    {
      name: "hot",
      pattern: { name: "to-set", set: [4] },
      from: ["0-3"],
      load: 0.7,
      packet: "8flits",
      message: "3packets",
    },
    { name: "all", pattern: "uniform", load: 0.6, packet: "5flits" },
  ],
  measure: { ...window, window: "900cycles", limit: "900cycles" },
}

/** The same with one endpoint less and more links: MPorts of two ports, so that there are ways through the centre. */
export const omniPath: Tree = {
  ...infiniband,
  network: {
    topology: { name: "mesh", sides: "2x2", p: 4 },
    routing: { name: "any.shortest", spread: "least-queued" },
    switch: {
      name: "omni-path",
      vcs: 4,
      input: "48flits",
      output: "48flits",
      central: "64flits",
      reservedPerVl: "8flits",
      mport: 2,
    },
    endpoint: { name: "simple" },
    links: { end: "2cycles", link: "9cycles" },
    flit: "64B",
  },
}

/** Three switches, all linked, three endpoints each; four of these send to one that the others leave alone: all that a
 *  congestion protocol answers to. */
export const contended: Tree = {
  lacewing: 1,
  network: {
    topology: { name: "hyperx", sides: "3", p: 3 },
    routing: "hyperx.ugal-l",
    switch: { name: "combined", vcs: 6, buffer: "24flits", output: "16flits" },
    endpoint: { name: "queue-pairs", ack: "0flits", active: 64 },
    links: { end: "1cycle", link: "9cycles" },
  },
  traffic: [
    {
      name: "hot",
      pattern: { name: "to-set", set: [4] },
      from: [0, 1, 7, 8],
      load: 0.9,
      packet: "8flits",
      stop: "1000cycles",
    },
    { name: "all", pattern: { name: "to-set", set: [2, 3, 5, 6] }, from: [2, 3, 5, 6], load: 0.5, packet: "5flits" },
  ],
  measure: { ...window, window: "2000cycles", limit: "2000cycles" },
}

/** Four switches in a square, two endpoints each, all for one: congestion, errors, a stash that is in use. */
export const tiled: Tree = {
  lacewing: 1,
  network: {
    topology: { name: "mesh", sides: "2x2", p: 2 },
    routing: { name: "any.shortest", spread: "least-queued" },
    switch: {
      name: "tiled",
      rows: 2,
      columns: 3,
      packet: "8flits",
      buffer: "160flits",
      rowBuffer: "16flits",
      columnBuffer: "16flits",
      reserve: "8flits",
      blockedCap: { link: 0.4 },
      stash: { end: 0.5 },
      reliability: true,
      absorb: true,
      errors: { link: 0.1 },
      lost: 0.3,
      timeout: "300cycles",
      retries: 1,
    },
    endpoint: { name: "queue-pairs", active: 4 },
    congestion: { name: "ecn-window", window: "64flits", minWindow: "8flits", base: "vc" },
    links: { end: "2cycles", link: "9cycles" },
  },
  traffic: [
    { name: "hot", pattern: { name: "to-set", set: [0] }, load: 0.5, packet: "8flits", message: "3packets" },
    { name: "all", pattern: "uniform", load: 0.4, packet: "5flits" },
  ],
  measure: { ...window, window: "900cycles", limit: "900cycles" },
}

/** Messages of several sizes, computing and a collective, on the packet engine. */
export const jobs: Tree = {
  ...packet,
  network: {
    topology: { name: "dragonfly", p: 2, a: 2, h: 1 },
    routing: "dragonfly.minimal",
    switch: { name: "chunk", bandwidth: "10GiB/s", vcs: 2 },
    endpoint: "rails",
  },
  jobs: [
    { name: "a", workload: { name: "halo", grid: "2x2x1", bytes: "3000B", iterations: 2, compute: "300ns" } },
    { name: "b", workload: { name: "collective", ranks: 4, call: "alltoall", bytes: "9000B" } },
  ],
  traffic: { pattern: "uniform", load: 0.1, packet: "256flits" },
  measure: { until: "jobs", limit: "50us" },
}

/** Other values than the one that a key has, by what its schema says of it. */
export function others(info: FieldInfo, current: unknown): unknown[] {
  const now = current ?? info.fallback
  const words = [...info.type.matchAll(/"([^"]+)"/g)].map((m) => m[1])
  if (words.length > 0) return words.filter((w) => w !== now)
  if (info.type === "true | false") return [now !== true]
  if (info.type.includes(" | "))
    return info.type
      .split(/,/)[0]
      .split(" | ")
      .filter((w) => w !== now)
  const number = (n: number) => [n + 1, 2 * n + 1, Math.max(0, n - 1)].filter((x) => x !== n)
  if (info.type === "integer") return number(typeof now === "number" ? now : 1)
  if (info.type === "fraction") return [0.25, 0.75, 0, 1].filter((x) => x !== now)
  if (info.type === "number") return [2 * (typeof now === "number" ? now : 1), 1.5, 0.5].filter((x) => x !== now)
  const sample: Readonly<Record<string, string>> = {
    flits: "16flits",
    bytes: "3KiB",
    time: "35ns",
    cycles: "7cycles",
    bandwidth: "5GiB/s",
    size: "2flits",
    duration: "50cycles",
  }
  const m = /^([\d.]+)(.*)$/.exec(String(now ?? ""))
  if (m === null) return sample[info.type] === undefined ? [] : [sample[info.type]]
  const n = Number(m[1])
  return [...(n === 0 ? [7, 64] : [2 * n, 10 * n, Math.floor(n / 2) || 1])]
    .filter((x) => x !== n)
    .map((x) => `${x}${m[2]}`)
}
