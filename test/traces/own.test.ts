// Every format, read from traces that the project's own writers made: totals by hand, the same whatever the chunks, and
// what is converted is the same program.
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { resolve } from "../../src/workloads/check/communicators.ts"
import { compactOf } from "../../src/workloads/formats/compact.ts"
import { goalOf } from "../../src/workloads/formats/goal-text.ts"
import {
  amount,
  forEachOp,
  KIND,
  kindNames,
  kindOf,
  LIST,
  NEEDS,
  type Program,
  VALUES,
  WORDS,
} from "../../src/workloads/program.ts"
import { chakraFile, chakraRing } from "../support/traces/chakra.ts"
import { DOUBLE, DumpiWriter, INT, metaOf, ringFiles, WORLD } from "../support/traces/dumpi.ts"
import { type Files, lookIn, traceIn } from "../support/traces/read.ts"
import { tarOf } from "../support/traces/tar.ts"
import {
  aicbList,
  byteMatrix,
  flowList,
  flowTable,
  goalRing,
  otf2Print,
  simaiList,
  simgridRank,
} from "../support/traces/texts.ts"

const one = (name: string, content: Uint8Array | string): Files => new Map([[name, content]])
const many = (n: number, name: (r: number) => string, make: (r: number) => Uint8Array | string): Files =>
  new Map(Array.from({ length: n }, (_, r) => [name(r), make(r)]))
const samples: readonly [string, Files][] = [
  ["dumpi", ringFiles(3)],
  ["goal", one("ring.goal", goalRing(4))],
  [
    "chakra",
    many(
      3,
      (r) => `ring.${r}.et`,
      (r) => chakraRing(r, 3),
    ),
  ],
  [
    "simgrid",
    many(
      3,
      (r) => `ti${r}.txt`,
      (r) => simgridRank(r, 3),
    ),
  ],
  ["aicb", one("list.csv", aicbList(8, 2))],
  ["simai", one("layers.txt", simaiList)],
  ["flows", one("flows.cm", flowList)],
  ["flows", one("flows.csv", flowTable)],
  ["matrix", one("bytes.csv", byteMatrix)],
  ["otf2", one("printed.txt", otf2Print)],
]

/** All ints of a program, lists taken apart from where they lie. */
function contents(p: Program): unknown[] {
  return Array.from({ length: p.ranks }, (_, r) => {
    const ops: unknown[] = []
    forEachOp(p.rank(r), ({ ops: o, list }, row) => {
      const at = o[row + LIST]
      ops.push([
        [...o.subarray(row, row + LIST)],
        [...list.subarray(at, at + o[row + NEEDS] + o[row + VALUES])],
        [...o.subarray(row + NEEDS, row + WORDS)],
      ])
    })
    return ops
  })
}
function kinds(p: Program, rank: number): string[] {
  const names: string[] = []
  forEachOp(p.rank(rank), ({ ops }, row) => names.push(`${kindNames[kindOf(ops[row + KIND])]} ${amount(ops, row)}`))
  return names
}

const wild = `num_ranks 3
rank 0 {
l1: recv 64b from -1 tag 7
l2: recv 32b from 2 tag -1
l2 requires l1
}
rank 1 {
l1: send 64b to 0 tag 7
}
rank 2 {
l1: calc 500
l2: send 32b to 0 tag 9
l2 requires l1
}
`

test("GOAL: -1 is any source and any tag of a receive, as in LogGOPSim, and is written so", async () => {
  const files = one("wild.goal", wild)
  const look = await lookIn(files)
  expect([look.trace.ranks, look.trace.missing, look.bad]).toEqual([3, [], []])
  expect(look.checks).toMatchObject({
    unmatchedSends: { count: 0 },
    unmatchedReceives: { count: 0 },
    waiting: { count: 0 },
  })
  const { program } = await traceIn(files)
  const text = goalOf(program!, resolve(program!), "wild.goal")
  if ("bad" in text) throw new Error(text.bad[0].says)
  const written = [...text.ok()].join("\n")
  expect(written).toContain("recv 64b from -1 tag 7")
  expect(written).toContain("recv 32b from 2 tag -1")
  expect(contents((await traceIn(one("again.goal", written))).program!)).toEqual(contents(program!))
})

test("a connection matrix of htsim starts its flows at whole microseconds", async () => {
  const { program } = await traceIn(
    one("late.cm", "Nodes 2\nConnections 2\n0->1 start 3 size 10\n1->0 start 2.7 size 10\n"),
  )
  // 3 us, and 2.7 is read as 2: picoseconds of the pause before each send
  expect([0, 1].map((rank) => kinds(program!, rank).find((k) => k.startsWith("compute")))).toEqual([
    "compute 3000000",
    "compute 2000000",
  ])
})

describe.each(samples)("%s", (format, files) => {
  test("is known, complete, and every message has its partner", async () => {
    const look = await lookIn(files)
    expect([look.trace.format, look.trace.missing, look.bad]).toEqual([format, [], []])
    expect(look.checks).toMatchObject({
      unmatchedSends: { count: 0 },
      unmatchedReceives: { count: 0 },
      waiting: { count: 0 },
      circularWaits: [],
    })
  })
  test("is the same in chunks of 7 bytes, in a tar archive, compressed, and in lacewing's own form", async () => {
    const whole = await traceIn(files)
    const bytes = new Map([...files].map(([n, c]) => [n, typeof c === "string" ? new TextEncoder().encode(c) : c]))
    const tar = tarOf(bytes)
    const forms: Files[] = [
      one("t.tar", tar),
      one("t.tar.gz", gzipSync(tar)),
      new Map([...bytes].map(([n, c]) => [`${n}.gz`, gzipSync(c)])),
    ]
    for (const t of [await traceIn(files, {}, 7), ...(await Promise.all(forms.map((f) => traceIn(f))))]) {
      expect(t.bad).toEqual([])
      expect({ ...t.summary, trace: "" }).toEqual({ ...whole.summary, trace: "" })
      expect(contents(t.program!)).toEqual(contents(whole.program!))
    }
    const own = await traceIn(one("x", Buffer.concat([...compactOf(whole.program!)])))
    expect([own.format, own.bad]).toEqual(["lacewing", []])
    expect(contents(own.program!)).toEqual(contents(whole.program!))
  })
})

describe("totals by hand", () => {
  test("DUMPI: 3 ranks x 2 messages of 256 ints; an all-reduce of one double", async () => {
    const t = await traceIn(ringFiles(3), { digests: true })
    expect(t.summary).toMatchObject({
      trace: "t",
      totals: {
        ranks: 3,
        records: 33,
        sends: { Isend: { calls: 6, bytes: 6144 } },
        collectives: { Allreduce: { calls: 3, localSendBytes: 24 } },
        pointToPointPairs: 3,
      },
    })
    // Init, then Comm_size and Comm_rank at once; 1 us before each turn
    expect(kinds(t.program!, 0)).toEqual([
      "init 0",
      ...Array.from({ length: 2 }, () => ["compute 1000000", "recv 1024", "send 1024", "wait 0"]).flat(),
      "allreduce 8",
      "finalize 0",
    ])
  })
  test("DUMPI: a file with unusual datatype sizes is read again with its own table of sizes", async () => {
    const table = Array.from({ length: 28 }, (_, i) => (i === INT ? 2 : 1))
    const w = new DumpiWriter(table).call("Comm_size", [WORLD, 1]).call("Bcast", [10, INT, 0, WORLD]).call("Finalize")
    const t = await traceIn(one("a-0000.bin", w.bytes()))
    expect(kinds(t.program!, 0)).toEqual(["bcast 20", "finalize 0"])
  })
  test("DUMPI: datatypes of the program: 3 blocks of 2 doubles are 48 bytes, in a struct with 4 ints 64", async () => {
    const w = new DumpiWriter().call("Comm_size", [WORLD, 1]).call("Type_vector", [3, 2, 5, DOUBLE, 28])
    w.call("Type_create_struct", [2, [1, 4], [0, 0], [28, INT], 29])
      .call("Bcast", [2, 29, 0, WORLD])
      .call("Finalize")
    expect(kinds((await traceIn(one("a-0000.bin", w.bytes()))).program!, 0)).toEqual(["bcast 128", "finalize 0"])
  })
  test(
    "DUMPI: communicators by split: even ranks 0, 2 and odd ranks 1, 3; " +
      "rank 0 of each sends 4 bytes to rank 1 of it",
    async () => {
      const rank = (r: number) => {
        const w = new DumpiWriter()
          .call("Init", [0, []])
          .call("Comm_size", [WORLD, 4])
          .call("Comm_split", [WORLD, r % 2, r, 4])
        if (r < 2) w.call("Send", [1, INT, 1, 0, 4])
        else w.call("Recv", [1, INT, 0, 0, 4, [[4, 0, 0, 0, 0]]])
        return w.call("Finalize").bytes()
      }
      const look = await lookIn(
        new Map<string, Uint8Array | string>([
          ["s.meta", metaOf(4, "s")],
          ...Array.from({ length: 4 }, (_, r): [string, Uint8Array] => [`s-000${r}.bin`, rank(r)]),
        ]),
      )
      expect(look.bad).toEqual([])
      expect(look.flows.map((f) => f.map((x) => [x.to, x.bytes]))).toEqual([[[2, 4]], [[3, 4]], [], []])
    },
  )
  test("Chakra: a ring of 1,024 bytes and an all-reduce of 4,096", async () => {
    const t = await traceIn(samples[2][1])
    expect(t.summary).toMatchObject({
      files: [
        { nodes: 4, dataDeps: 3, durationMicrosTotal: 5, send: { count: 1, bytes: 1024, peers: { 1: 1 } } },
        {},
        {},
      ],
    })
    expect(kinds(t.program!, 1)).toEqual(["send 1024", "recv 1024", "compute 5000000", "allreduce 4096"])
  })
  test("SimGrid: 100 doubles, 10 ints, 3 doubles per rank; 2,000 operations at 10^9 per second are 2 us", async () => {
    const t = await traceIn(samples[3][1])
    expect(kinds(t.program!, 2)).toEqual([
      "init 0",
      "compute 2000000",
      "send 800",
      "recv 800",
      "wait 0",
      "allreduce 40",
      "alltoallv 0",
      "bcast 40",
      "barrier 0",
      "finalize 0",
    ])
  })
  test("layers: an all-gather of 2,048 bytes by two ranks is 1,024 of each", async () => {
    const t = await traceIn(samples[5][1])
    const got = kinds(t.program!, 3).filter((k) => !k.startsWith("compute"))
    expect(got).toEqual(["comm-define 0", "comm-define 0", "allgather 1024", "allreduce 4096", "reduce-scatter 1024"])
  })
  test("collectives are counted with the bytes that ranks contribute", async () => {
    const simgrid = (await lookIn(samples[3][1])).checks["collectives"]
    // of 3 ranks: 10 ints to all-reduce and to broadcast; 3 doubles for each of 3 ranks
    expect(simgrid).toEqual([
      { name: "barrier", calls: 3, bytes: 0 },
      { name: "bcast", calls: 3, bytes: 3 * 40 },
      { name: "allreduce", calls: 3, bytes: 3 * 40 },
      { name: "alltoallv", calls: 3, bytes: 3 * 3 * 3 * 8 },
    ])
    const layers = (await lookIn(samples[5][1])).checks["collectives"]
    // of 8 ranks in pairs: blocks of 1,024 bytes, one to gather, two to reduce and scatter; a vector of 4,096 bytes
    expect(layers).toEqual([
      { name: "allreduce", calls: 8, bytes: 8 * 4096 },
      { name: "allgather", calls: 8, bytes: 8 * 1024 },
      { name: "reduce-scatter", calls: 8, bytes: 8 * 2 * 1024 },
    ])
  })
  test("flows start at their times: 5,000 ps before the second", async () => {
    expect(kinds((await traceIn(samples[6][1])).program!, 2)).toEqual(["compute 5000000000", "send 2000", "wait 0"])
  })
  test("a rank's own bytes in a matrix do not travel", async () => {
    const t = await traceIn(samples[8][1])
    expect(t.summary).toMatchObject({ ranks: 3, flows: 4, bytes: 18 })
    expect(t.notes[0].says).toContain("7 bytes of ranks to themselves")
  })
  test("OTF2: one message of 64 bytes, a barrier", async () => {
    const t = await traceIn(samples[9][1])
    expect(t.summary).toMatchObject({
      ranks: 2,
      sendBytes: 64,
      pairs: 1,
      sendsAndReceivesMatch: true,
      communicators: { 0: [0, 1] },
      unfinishedRows: 0,
    })
    expect(kinds(t.program!, 1)).toEqual(["recv 64", "compute 20000", "wait 0", "compute 10000", "barrier 0"])
  })
})

describe("GOAL out of other programs", () => {
  test.each([
    ["goal", 1],
    ["flows", 6],
  ] as const)("%s and back: the same messages", async (_, at) => {
    const t = await traceIn(samples[at][1])
    const text = goalOf(t.program!, resolve(t.program!), "t")
    if ("bad" in text) throw new Error(text.bad[0].says)
    const back = await lookIn(one("x.goal", [...text.ok()].join("\n")))
    const before = await lookIn(samples[at][1])
    expect([back.bad, back.flows]).toEqual([[], before.flows])
  })
  test("a collective has no word there", async () => {
    const t = await traceIn(ringFiles(2))
    const text = goalOf(t.program!, resolve(t.program!), "t")
    expect("bad" in text && text.bad[0].says).toContain("allreduce cannot be expressed in GOAL")
  })
})

test("GOAL with cpu, nic and lines in any order is written as it was read", async () => {
  const text = [
    "num_ranks 2",
    "",
    "rank 0 {",
    "l1: calc 10 cpu 2",
    "l2: send 8b to 1 tag 3 cpu 1 nic 4",
    "l3: send 8b to 1 tag 4 nic 1",
    "l3 irequires l1",
    "l2 requires l1",
    "}",
    "",
    "rank 1 {",
    "l1: recv 8b from 0 tag 3 nic 1",
    "l2: recv 8b from 0 tag 4",
    "}",
  ]
  const t = await traceIn(one("x.goal", text.join("\n")))
  const written = goalOf(t.program!, resolve(t.program!), "t")
  expect("ok" in written && [...written.ok()]).toEqual(text)
})
test("GOAL with a processor named twice, or one with too large a number, is refused", async () => {
  for (const [units, says] of [
    ["cpu 1 cpu 2", "a second cpu in one operation"],
    ["nic 5000", "expected nic 0 to 1023, found 5000"],
  ])
    expect((await lookIn(one("x.goal", `num_ranks 2\nrank 0 {\nsend 8b to 1 tag 0 ${units}\n}\n`))).bad[0]?.says).toBe(
      says,
    )
})

test("an operation needs what comes later in the file: the order is turned", async () => {
  const t = await traceIn(one("x.goal", "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\n}\n"))
  expect(kinds(t.program!, 0)).toEqual(["compute 2000", "compute 1000"])
})
test("versions differ: numbers as text, collectives by name", async () => {
  const file = chakraFile([{ id: 0, type: 7, attributes: { comm_type: "all_gather", comm_size: "64" } }])
  const t = await traceIn(
    new Map([
      ["a.0.et", file],
      ["a.1.et", file],
    ]),
  )
  expect(kinds(t.program!, 0)).toEqual(["allgather 64"])
})
