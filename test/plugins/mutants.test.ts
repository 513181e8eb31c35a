// Broken copies of the gallery's modules. Each has one mistake that an author may make, and the contract of its kind
// must find it.
import { expect, test } from "vitest"
import { contracts } from "../../src/inspect/contract/finding.ts"
import { broken, type Change, findingsOf } from "./support.ts"

/** The default parameters do not show the mistake. */
const drawn = "with drawn parameters"
/** `how`: the only plug-in of the module that is tested, or `drawn` */
type Mutant = readonly [mistake: string, file: string, changes: readonly Change[], found: string, how?: string]

const window = "constant-window.mjs"
const inject: Change["0"] = "mayInject: flows.mayInject"
const congestion: readonly Mutant[] = [
  [
    "state in a closure instead of a column",
    window,
    [
      ["const { packets } = site", "const { packets } = site\n      let sent = 0"],
      ["injected: (e, to, packet, now) =>", "injected: (e, to, packet, now) => sent++ < 0 ||"],
      [
        inject,
        "mayInject: (e, to, f, now) => (sent % 50 === 49 ? (sent++, now + 40) : flows.mayInject(e, to, f, now))",
      ],
    ],
    contracts.columns,
  ],
  ["packets are never acknowledged", window, [["site.send(e,", "if (e < 0) site.send(e,"]], contracts.sink],
  [
    "a random number from outside",
    window,
    [[inject, "mayInject: (e, to, f, now) => (Math.random() < 0.1 ? now + 1 : flows.mayInject(e, to, f, now))"]],
    contracts.chance,
  ],
  ["a function that does not exist", window, [["packets.kind(packet)", "packets.sort(packet)"]], contracts.throws],
  ["a window of one packet", window, [['default: "512flits"', 'default: "1flit"']], contracts.sink],
  [
    "some endpoints pause",
    window,
    [
      [
        inject,
        "mayInject: (e, to, f, now) => " +
          "(site.outer(e) % 16 < 6 && now % 512 !== 0 ? now + 512 - (now % 512) : flows.mayInject(e, to, f, now))",
      ],
    ],
    contracts.calm,
  ],
  [
    "flows to a busy endpoint are served by number",
    window,
    [
      [
        inject,
        "mayInject: (e, to, f, now) => (site.outer(e) % 2 === 0 && flows.out[flows.flows.find(e, to)] > 8 " +
          "? now + 64 : flows.mayInject(e, to, f, now))",
      ],
    ],
    contracts.fair,
  ],
  ["no declared need", window, [['["protocols", "windows"]', "[]"]], "does not list"],
  ["a misspelt part of the model", window, [["endpoint(site)", "endpoints(site)"]], "unknown key"],
]

const turns = "weighted-round-robin.mjs"
const schedulers: readonly Mutant[] = [
  [
    "picks a queue that cannot send",
    turns,
    [["if ((sendable >> queue) & 1) return queue", "return queue"]],
    contracts.sendable,
  ],
  ["starves all but the first queue", turns, [["(at[row] + n) % queues", "n - 1"]], contracts.starves],
  ["ignores its weights", turns, [["weights[queue] ?? 1\n            }", "1\n            }"]], contracts.promised],
  [
    "shares its state between outputs",
    turns,
    [
      ["at[row]", "at[0]"],
      ["left[row]", "left[0]"],
    ],
    contracts.rows,
  ],
  [
    "keeps its state in a closure",
    turns,
    [
      ["const columns = { at: ints(rows), left: ints(rows) }", "const columns = {}"],
      ["const { at, left } = columns", "const [at, left] = [new Int32Array(rows), new Int32Array(rows)]"],
    ],
    contracts.columns,
  ],
  ["forgets the last queue", turns, [["n <= queues", "n < queues - 1"]], contracts.sendable],
  [
    "another state after a pick without a queue",
    turns,
    [["return -1\n            if", "return -1 - 0 * left[row]++\n            if"]],
    contracts.sendable,
  ],
  [
    "reads the ages of packets, and does not say so",
    turns,
    [
      [
        "pick(row, sendable) {",
        "pick(row, sendable, sizes, created, first) {\n            if (created[first] < 0) return -1",
      ],
    ],
    contracts.reads,
  ],
  ["draws at each pick", "lottery.mjs", [["drawn[row])", "drawn[row]++)"]], contracts.sendable],
  [
    "draws that it does not count",
    "lottery.mjs",
    [["sent: (row) => void drawn[row]++", "sent() {}"]],
    contracts.starves,
  ],
  ["ignores the weight of a tag", "start-time-fair.mjs", [["size / share[queue]", "size"]], contracts.promised],
]

const ring = "ring-channels.mjs"
const list = "flow-list.mjs"
const programs: readonly Mutant[] = [
  ["a send without a receive", ring, [["to.irecv(", "if (lane > 0) to.irecv("]], contracts.matched],
  [
    "sizes from Math.random",
    ring,
    [["Math.max(1, Math.ceil(", "Math.max(1 + Math.random(), Math.ceil("]],
    contracts.chance,
  ],
  [
    "another program each time",
    ring,
    [
      ["const strides =", "let asked = 0\nconst strides ="],
      ["const part = Math.max(1,", "const part = asked++ + Math.max(1,"],
    ],
    contracts.alike,
  ],
  [
    "all steps open at once",
    ring,
    [
      ["4 * lane + 2 * (step & 1)", "200 * step + 2 * lane"],
      ["if (step > 1) to.wait(lanes.flatMap((_, lane) => [send(lane, step), receive(lane, step)]))", ""],
      ["to.wait(lanes.flatMap((_, lane) => [0, 1, 2, 3].map((i) => 4 * lane + i)))", ""],
    ],
    contracts.open,
  ],
  ["a reader that trusts its files", list, [["if (!whole ||", "if (false &&"]], contracts.damaged],
  ["a reader without receives", list, [["if (f.destination === rank)", "if (f.destination < 0)"]], contracts.matched],
]

const mesh = "hammingmesh.mjs"
const traffic = "mice-and-elephants.mjs"
const others: readonly Mutant[] = [
  ["both orders on the same VCs", "o1turn.mjs", [["masks[order]", "2 ** vcs - 1"]], contracts.deadlock],
  ["more links than it declares", "o1turn.mjs", [['most: "minimal"', "most: 1"]], contracts.hops],
  [
    "reads queues in spite of adaptive: false",
    "o1turn.mjs",
    [["net.draw(packet, 1024) <", "net.queued(graph.firstChan[_at]) <"]],
    contracts.idle,
  ],
  ["a wrong number of routers", mesh, [["routers: w * h + w + h", "routers: w * h + w"]], contracts.size],
  [
    "distances off by one",
    mesh,
    [["hops: distances(graph)", "hops: (a, b) => distances(graph)(a, b) + (a !== b ? 1 : 0)"]],
    contracts.distances,
  ],
  ["one VC for each order", mesh, [["net.get(p, 0) + behind", "net.get(p, 0)"]], contracts.deadlock, drawn],
  ["no permutation", traffic, [["(from + by) % topology.graph.ends", "by"]], contracts.permutation, "my.shift"],
  ["another mean than it promises", traffic, [["mean: short + part", "mean: long + part"]], contracts.sizes, "my.mice"],
  ["time that runs backwards", traffic, [["last + apart", "last - 1"]], contracts.forward, "my.pairs"],
  ["half the rate", traffic, [["2 / rate - apart", "4 / rate - apart"]], contracts.rate, "my.pairs"],
  [
    "a figure of a column that is not reported",
    "busiest-channels.mjs",
    [['column: "load"', 'column: "laod"']],
    contracts.report,
  ],
  [
    "a random number in a table",
    "busiest-channels.mjs",
    [["channel[c] / window", "(channel[c] + Math.random()) / window"]],
    contracts.bits,
  ],
  ["columns of different lengths", "busiest-channels.mjs", [["chan: order", "chan: order.slice(1)"]], contracts.report],
]

const tiles = "rows-and-columns.mjs"
const paced = "paced-endpoint.mjs"
const machines: readonly Mutant[] = [
  [
    "always the first input of a row",
    tiles,
    [["return nextPort(low, high, tile[", "return nextPort(low, high, 0 * tile["]],
    contracts.shares,
  ],
  [
    "grants an output twice",
    tiles,
    [
      ["taken = o < 32 ?", "taken = o < 0 ?"],
      ["free[input >> 5] &= ~(1 << input)", ""],
    ],
    contracts.grants,
  ],
  [
    "grants what nobody requests",
    tiles,
    [["nextPort(low, high, next[router", "0 * nextPort(low, high, next[router"]],
    contracts.single,
  ],
  ["one pointer for all routers", tiles, [["turn[router * outputs + o]", "turn[o]"]], contracts.routers],
  [
    "pointers in the memory of one worker",
    tiles,
    [
      [
        "column(rows * outputs), column(outputs), column(inputs)",
        "new Int32Array(1e5), new Int32Array(1e5), new Int32Array(1e5)",
      ],
    ],
    contracts.columns,
  ],
  [
    "forgets the second word of ports",
    tiles,
    [["for (let m = high; m !== 0; m &= m - 1)", "for (let m = 0; m !== 0; m &= m - 1)"]],
    contracts.single,
  ],
  [
    "a number that depends on the partition",
    "input-first.mjs",
    [["inNext[router * inputs + i] = o + 1 === outputs ? 0 : o + 1", "inNext[router * inputs + i] = router % 2"]],
    contracts.bits,
  ],
  [
    "reads the ages of packets, and does not say so",
    "heaviest-first.mjs",
    [['reads: [p.weight === "age" ? "ages" : "queues"],', ""]],
    contracts.reads,
  ],
  [
    "reads a packet that nobody requests",
    "heaviest-first.mjs",
    [["weightOf(level, input, output)", "weightOf(level, input, output === 0 ? 1 : 0)"]],
    contracts.reads,
  ],
  [
    "an output waits for a coin",
    "input-first.mjs",
    [["met[o >> 5] |= 1 << o", "if (Math.random() < 0.9) met[o >> 5] |= 1 << o"]],
    contracts.chance,
  ],
  ["needs that are not declared", paced, [['["acknowledgements"]', "[]"]], "lists none of"],
  ["a misspelt member", paced, [["perDestination: true, active", "perDestinations: true, active"]], "unknown key"],
  ["an endpoint that throws", paced, [["endpoint({", "endpoint.model({"]], contracts.throws],
]

const mutants = [...congestion, ...schedulers, ...programs, ...others, ...machines]

test("there are at least 25", () => expect(mutants.length).toBeGreaterThanOrEqual(25))

test.each(mutants.map((mutant) => [`${mutant[1]}: ${mutant[0]}`, mutant] as const))("%s", async (_, mutant) => {
  const [mistake, file, changes, found, how] = mutant
  const module = await broken(file, changes, mistake.replaceAll(/\W/g, "-"))
  const findings = await findingsOf(module, how === drawn ? undefined : how, how !== drawn)
  expect(findings.filter((says) => says.includes(found)).length, findings.join("\n")).toBeGreaterThan(0)
})
