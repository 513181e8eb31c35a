// Mutants of the mechanisms that the papers describe. Each switches one mechanism off or breaks it, either with keys
// of an experiment (`set`) or with a change of the source (`patch`). scripts/mutants.mjs runs the figures with them.
//
// `set`: below each key `in` of an experiment, an object with the values `where` gets the values `to`. With
// `replace`, it becomes `to`. `patch`: `find` must occur once in the file.

const fbicm = { scheme: /^fbicm/ }
const isolation = (to) => [{ in: "switch", where: fbicm, to }]
const other = (scheme, to) => [{ in: "switch", where: { scheme }, to }]
const control = (name, to) => [{ in: "congestion", where: { name }, to }]
const stash = (where, to) => [{ in: "switch", where, to }]
const table = (change) => [{ in: "qos", where: { name: "dtable" }, to: ({ table: t }) => ({ table: change(t) }) }]
const entries = (text) => text.split(",").map((e) => e.split(":").map(Number))
const joined = (list) => list.map((e) => e.join(":")).join(",")

/** The same weight for all entries; largest packets have 32 credits. */
const equalWeights = (text) => joined(entries(text).map(([sl]) => [sl, 32]))
/** Levels in reverse order: the first one gets the entries of the last one. */
const reversed = (text) => {
  const most = Math.max(...entries(text).map(([sl]) => sl))
  // An entry must hold the largest packet of its level.
  return joined(entries(text).map(([sl, weight]) => [most - sl, Math.max(weight, 32)]))
}
/** The entries of each level next to each other: shares stay, distances are as long as possible. */
const apart = (text) => joined(entries(text).sort(([a], [b]) => a - b))

export const mutants = [
  // FBICM
  { paper: "fbicm", id: "no-detection", says: "Congestion is never detected", set: isolation({ detection: "off" }) },
  {
    paper: "fbicm",
    id: "no-propagation",
    says: "Lines never send Allocate or Stop upstream",
    set: isolation({ stop: 4000 }),
  },
  { paper: "fbicm", id: "no-hysteresis", says: "Go threshold equal to the Stop threshold", set: isolation({ go: 8 }) },
  { paper: "fbicm", id: "one-line", says: "One CAM line at each port", set: isolation({ lines: 1 }) },
  { paper: "fbicm", id: "short-lists", says: "CAM lines list one destination", set: isolation({ list: 1 }) },
  {
    paper: "fbicm",
    id: "lines-stay",
    says: "An empty CAM line is kept for 1 ms",
    set: isolation({ timer: "1000000cycles" }),
  },
  { paper: "fbicm", id: "late-detection", says: "Detection at 64 packets", set: isolation({ detect: 64 }) },
  {
    paper: "fbicm",
    id: "heavy-messages",
    says: "Control messages have the size of packets",
    set: isolation({ header: "64flits", each: "64flits" }),
  },
  { paper: "fbicm", id: "dbbm-one-queue", says: "DBBM has one queue", set: other("dbbm", { queues: 1 }) },
  {
    paper: "fbicm",
    id: "voqsw-one-queue",
    says: "VOQsw has one queue",
    set: other("voq-switch", { scheme: "1q" }),
  },
  {
    paper: "fbicm",
    id: "voqnet-per-output",
    says: "VOQnet has queues for the outputs of its switch only",
    set: other("voq-network", { scheme: "voq-switch" }),
  },
  // Stashing
  {
    paper: "stashing",
    id: "no-copies",
    says: "The stash stores no copies",
    set: stash({ reliability: true }, { reliability: false }),
  },
  {
    paper: "stashing",
    id: "nothing-absorbed",
    says: "Blocked packets never go to the stash",
    set: stash({ absorb: true }, { absorb: false }),
  },
  {
    paper: "stashing",
    id: "whole-capacity",
    says: "The limit of the capacity is ignored",
    set: stash({ capacity: /^0/ }, { capacity: 1 }),
  },
  {
    paper: "stashing",
    id: "small-stash",
    says: "A stash of a tenth of its size",
    set: [{ in: "stash", where: { end: 0.875 }, to: { end: 0.0875, local: 0.075 } }],
  },
  {
    paper: "stashing",
    id: "marks-ignored",
    says: "Endpoints ignore the marks of ECN",
    set: control("ecn-window", { cut: 1 }),
  },
  {
    paper: "stashing",
    id: "never-marked",
    says: "Inputs mark packets only when they are full",
    set: control("ecn-window", { on: 1, off: 1 }),
  },
  {
    paper: "stashing",
    id: "no-recovery",
    says: "Windows of ECN hardly grow again",
    set: control("ecn-window", { grow: "3000cycles" }),
  },
  {
    paper: "stashing",
    id: "slow-sideband",
    says: "Messages between ports and pools take 2,000 core steps",
    set: stash({ sideband: 5 }, { sideband: 2000 }).concat(stash({ stash: /./ }, { sideband: 2000 })),
  },
  {
    paper: "stashing",
    id: "no-speedup",
    says: "The switch has no internal speedup",
    set: stash({ name: "tiled" }, { speed: 1 }),
  },
  // Quality of service
  {
    paper: "qos",
    id: "round-robin",
    says: "Links serve service levels round-robin",
    set: [{ in: "qos", where: { name: "dtable" }, to: { name: "round-robin" }, replace: true }],
  },
  {
    paper: "qos",
    id: "equal-weights",
    says: "All entries of the table have the same weight",
    set: table(equalWeights),
  },
  {
    paper: "qos",
    id: "reversed-levels",
    says: "Service levels have the entries in reverse order",
    set: table(reversed),
  },
  { paper: "qos", id: "entries-together", says: "Entries of a level are next to each other", set: table(apart) },
  {
    paper: "qos",
    id: "message-grain",
    says: "The crossbar is held for a whole message",
    set: [
      { in: "switch", where: { name: "infiniband" }, to: { grain: "message" } },
      { in: "switch", where: { name: "omni-path" }, to: { grain: "message" } },
    ],
  },
  {
    paper: "qos",
    id: "one-vl",
    says: "All service levels use one virtual lane",
    set: [
      { in: "switch", where: { name: "infiniband" }, to: { sl2vl: "0,0,0,0,0,0,0" } },
      { in: "switch", where: { name: "omni-path" }, to: { sc2vl: "0,0,0,0,0,0,0" } },
    ],
  },
  {
    paper: "qos",
    id: "one-application-queue",
    says: "Endpoints send messages in the order of their creation",
    set: [{ in: "endpoint", where: { name: "service-levels" }, to: { name: "simple" }, replace: true }],
  },
  {
    paper: "qos",
    id: "random-partners",
    says: "Point-to-point traffic goes to random destinations",
    set: [{ in: "pattern", where: { name: "connections" }, to: { name: "uniform" }, replace: true }],
  },
  {
    paper: "qos",
    id: "space-at-input",
    says: "Omni-Path takes space of the output at the input",
    set: [{ in: "switch", where: { name: "omni-path" }, to: { room: "input" } }],
  },
  {
    paper: "qos",
    id: "slow-centre",
    says: "The central crossbar of Omni-Path moves one flit a cycle",
    set: [{ in: "switch", where: { name: "omni-path" }, to: { centralRate: 1 } }],
  },
  // CBCM
  {
    paper: "cbcm",
    id: "no-marks",
    says: "CBCM never marks a packet",
    set: control("cbcm", { threshold: 1000 }),
  },
  {
    paper: "cbcm",
    id: "no-throttle",
    says: "CBCM marks packets and throttles no source",
    set: control("cbcm", { throttle: false }),
  },
  { paper: "cbcm", id: "all-marked", says: "CBCM marks all packets", set: control("cbcm", { threshold: 0 }) },
  {
    paper: "cbcm",
    id: "shared-vc",
    says: "Throttled flows use the VCs of data",
    set: [...control("cbcm", { hot: "shared" })],
  },
  {
    paper: "cbcm",
    id: "wrong-share",
    says: "Throttled sources send at half of their share",
    set: control("cbcm", { rate: 0.5 }),
  },
  {
    paper: "cbcm",
    id: "endpoints-only",
    says: "Routers do not detect congestion",
    set: [{ in: "congestion", where: { name: "cbcm", detect: "router" }, to: { detect: "destination" } }],
  },
  {
    paper: "cbcm",
    id: "no-reservation",
    says: "SRP sends messages without reservations",
    set: control("srp", { reserveFrom: "1000000flits" }),
  },
  {
    paper: "cbcm",
    id: "never-dropped",
    says: "SRP never drops a speculative packet",
    set: control("srp", { budget: "10000000cycles" }),
  },
  {
    paper: "cbcm",
    id: "ecn-ignored",
    says: "Sources ignore the marks of ECN",
    set: [{ in: "congestion", where: { name: "ecn-delay" }, to: { name: "none" }, replace: true }],
  },
  {
    paper: "cbcm",
    id: "ideal-off",
    says: "The ideal control knows no hot spot",
    set: [{ in: "congestion", where: { name: "ideal" }, to: { name: "none" }, replace: true }],
  },
  {
    paper: "cbcm",
    id: "minimal",
    says: "Adaptive routing always takes the minimal path",
    set: [{ in: "routing", where: { name: "hyperx.ugal-l" }, to: { name: "hyperx.minimal" }, replace: true }],
  },
  // Fit Fly
  {
    paper: "fitfly",
    id: "same-rail",
    says: "All packets of an endpoint use the same rail",
    set: [{ in: "endpoint", where: { name: "rails" }, to: { select: "same" } }],
  },
  {
    paper: "fitfly",
    id: "random-rail",
    says: "Packets use a random rail",
    set: [{ in: "endpoint", where: { name: "rails" }, to: { select: "random" } }],
  },
  {
    paper: "fitfly",
    id: "minimal",
    says: "Slim Fly and Fit Fly route minimally",
    set: [{ in: "routing", where: { name: "slimfly.ugal-l" }, to: { name: "slimfly.minimal" }, replace: true }],
  },
  {
    paper: "fitfly",
    id: "no-background",
    says: "Background traffic of 1 % of its load",
    set: [{ in: "workload", where: { name: "background" }, to: ({ load }) => ({ load: load / 100 }) }],
  },
  {
    paper: "fitfly",
    id: "deep-buffers",
    says: "Buffers of 16 MiB: credits never limit",
    set: [{ in: "switch", where: { name: "chunk" }, to: { buffer: "16MiB" } }],
  },

  // Changes of the source, for figures that build a port or a table and for mechanisms without a key
  {
    paper: "fbicm",
    id: "detection-by-source",
    says: "The normal queue never detects congestion",
    figures: /fig3|fig4/,
    patch: [
      {
        file: "src/switches/queue-scheme/isolation/fbicm/detection.ts",
        find: "if (normal[q] <= DETECT) return 0",
        replace: "return 0",
      },
    ],
  },
  {
    paper: "fbicm",
    id: "one-packet-more",
    says: "Congestion is detected one packet too late",
    figures: /fig3|fig4/,
    patch: [
      {
        file: "src/switches/queue-scheme/isolation/fbicm/detection.ts",
        find: "if (normal[q] <= DETECT) return 0",
        replace: "if (normal[q] <= DETECT + 1) return 0",
      },
    ],
  },
  {
    paper: "fbicm",
    id: "lists-by-source",
    says: "A list holds one destination, whatever its length",
    figures: /fig3|fig4/,
    patch: [
      {
        file: "src/switches/queue-scheme/isolation/fbicm/detection.ts",
        find: "lineLength[line] < LIST && add(q, i, d)",
        replace: "lineLength[line] < 1 && add(q, i, d)",
      },
    ],
  },
  {
    paper: "qos",
    id: "no-deficit",
    says: "The deficit table forgets what is left of an entry",
    figures: /fig3|text-4/,
    patch: [
      {
        file: "src/qos/dtable.ts",
        find: "table[my + SAVED + now] = left",
        replace: "table[my + SAVED + now] = 0",
      },
    ],
  },
  {
    paper: "qos",
    id: "deficit-kept",
    says: "A queue that cannot send keeps its deficit",
    figures: /fig3|text-4/,
    patch: [{ file: "src/qos/dtable.ts", find: "if (inactive !== 0) forget(my, inactive)", replace: "" }],
  },
  {
    paper: "qos",
    id: "first-entry-only",
    says: "The deficit table starts again at its first entry",
    figures: /fig3|text-4/,
    patch: [{ file: "src/qos/dtable.ts", find: "let first = table[my + POINTER]", replace: "let first = 0" }],
  },
]
