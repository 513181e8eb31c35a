// What the paper leaves open, changed one at a time: which rows of figures 5a to 5d (4-ary 3-tree) or 6a to 6d (a small
// torus for what only tori have) get another verdict than with our choice. A row here agrees if none does: then the
// assumption does not matter.
import {
  type Mode,
  type PaperFigure,
  type PaperPlan,
  type PaperRuns,
  type Row,
  sensitivity,
  within,
  wordOf,
} from "../paper.ts"
import { cites, experimentOf, type Instead, type Size, switches } from "./network.ts"
import { type Network, networks } from "./networks.ts"
import { quickTotals, rowsOf } from "./panels.ts"

interface Change extends Instead {
  readonly name: string
  readonly torus?: true
  readonly size?: Partial<Size>
}

const links = (cycles: number): Change => ({
  name: `link latency: ${cycles} cycles`,
  network: { links: { end: `${cycles}cycles`, link: `${cycles}cycles` } },
})
const set = (name: string, params: Readonly<Record<string, unknown>>): Change => ({ name, switch: params })

/** Parameters that one of both switches does not have are left to the other. */
const own: Readonly<Record<string, readonly string[]>> = {
  infiniband: ["speed", "start", "release"],
  "omni-path": ["reads", "rate", "uplink", "queues", "centralRate", "middle"],
}

export const changes: readonly Change[] = [
  links(1),
  links(5),
  links(40),
  set("crossbars: whole messages", { grain: "message" }),
  set("allocators: one iteration", { iterations: 1 }),
  set("crossbar of InfiniBand: speed 1", { speed: 1 }),
  set("crossbar of InfiniBand: speed 1.5", { speed: 1.5 }),
  set("crossbar of InfiniBand: speed 2", { speed: 2 }),
  set("crossbar of InfiniBand: speed 3", { speed: 3 }),
  set("central buffer: one read at a time, whole messages", { grain: "message", reads: "one" }),
  set("crossbar of an MPort: 1 flit a cycle", { rate: 1 }),
  set("crossbar of an MPort: 2 flits a cycle", { rate: 2 }),
  set("up-link: one message at 3 flits a cycle", { grain: "message", uplink: "one" }),
  set("central buffer: a queue for each VL, whole messages", { grain: "message", queues: "uplink" }),
  set("central crossbar: 1 flit a cycle to an output", { centralRate: 1 }),
  set("stages of 2 cycles", { route: "4cycles", body: "2cycles", traverse: "2cycles", middle: "4cycles" }),
  set("flits behind a head are routed too", { body: "2cycles" }),
  ...[1, 2].map((count) => ({
    name: `connections of each endpoint and level: ${count}`,
    traffic: (all: Record<string, unknown>[]) =>
      all.map((s) => (s["pattern"] === undefined ? s : { ...s, pattern: { name: "connections", count } })),
  })),
  {
    name: "controlled load: uniform destinations",
    traffic: (all) => all.map((s) => (s["name"] === "CL" ? { ...s, pattern: "uniform" } : s)),
  },
  set("buffers: 2,048 bytes for each VL", { reservedPerVl: "32flits" }),
  set("buffers: 16,384 bytes for each VL", { reservedPerVl: "256flits" }),
  {
    name: "torus: datelines on 14 VLs",
    torus: true,
    switch: { vcs: 14 },
    network: { routing: { name: "torus.dimension-order", dateline: "crossing" } },
  },
  {
    name: "torus: trunk member by destination",
    torus: true,
    network: { routing: { name: "torus.bubble", trunk: "hash" } },
  },
]

const netOf = (change: Change): Network => networks[change.torus === true ? 2 : 0]

function planWith(times: readonly [number, number], seeds: number, scaled?: string): PaperPlan {
  const experiments: Record<string, unknown> = {}
  const add = (name: string, net: Network, change: Instead) => {
    for (const sw of switches) {
      const other = own[sw === "infiniband" ? "omni-path" : "infiniband"]
      const params = Object.fromEntries(Object.entries(change.switch ?? {}).filter(([key]) => !other.includes(key)))
      // the same as our choice on this switch
      if (change.switch !== undefined && Object.keys(params).length === 0) continue
      experiments[`${name} ${sw}`] = experimentOf(sw, { ...net.quick, times, seeds }, quickTotals, {
        ...change,
        switch: params,
      })
    }
  }
  add("tree", networks[0], {})
  add("torus", networks[2], {})
  for (const [i, change] of changes.entries()) add(`change ${i}`, netOf(change), change)
  return { experiments, ...(scaled === undefined ? {} : { scaled }) }
}

/** Verdicts of the rows of four panels. */
function verdicts(runs: PaperRuns, names: readonly string[], net: Network): Map<string, string> {
  const of = Object.fromEntries(
    switches.map((sw) => [sw, names.map((n) => runs[`${n} ${sw}`]).find((r) => r !== undefined) ?? []]),
  )
  return new Map(rowsOf(net, of, "quick").map((row) => [row.claim, wordOf(row)]))
}

function rows(runs: PaperRuns, _mode: Mode): Row[] {
  return changes.map((change, i) => {
    const net = netOf(change)
    const ground = change.torus === true ? "torus" : "tree"
    const before = verdicts(runs, [ground], net)
    const after = verdicts(runs, [`change ${i}`, ground], net)
    const others = [...after].filter(([claim, word]) => before.get(claim) !== word)
    const measured = (runs[`${ground} infiniband`] ?? []).length > 0
    return sensitivity(
      within({
        claim: `${change.name}: rows with another verdict`,
        paper: "",
        value: measured ? others.length : Number.NaN,
        low: 0,
        high: 0,
        note: others.length === 0 ? "none" : others.map(([claim, word]) => `${claim}: ${word}`).join("; "),
      }),
    )
  })
}

export default {
  id: "qos/assumptions",
  number: "Assumptions",
  cites,
  title: "What the paper leaves open",
  claim: "no row of figures 5a to 5d depends on a choice that the paper does not make",
  quick: planWith([2000, 6000], 1, "0.03 instead of 1 ms, one seed, a 4x4 torus for what only tori have"),
  full: planWith([39_000, 195_000], 3),
  rows,
} satisfies PaperFigure
