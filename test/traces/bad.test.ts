// Traces that are damaged, incomplete or cannot be, through the command line: file, rank, offset or call, what was
// expected, exit code 2.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, test } from "vitest"
import { main } from "../../src/cli/program.ts"
import { plainPaint } from "../../src/terminal/paint.ts"
import { chakraFile } from "../support/traces/chakra.ts"
import { DumpiWriter, INT, metaOf, ringFiles, WORLD } from "../support/traces/dumpi.ts"
import { tarOf } from "../support/traces/tar.ts"
import { flowList, goalRing, otf2Print, simaiList, simgridRank } from "../support/traces/texts.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-trace-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
let count = 0
/** A folder, or one file when there is but one. */
function put(files: ReadonlyMap<string, Uint8Array | string>): string {
  const folder = join(dir, String(count++))
  mkdirSync(folder)
  for (const [name, content] of files) writeFileSync(join(folder, name), content)
  return files.size === 1 ? join(folder, [...files.keys()][0]) : folder
}
const file = (name: string, content: Uint8Array | string) => put(new Map([[name, content]]))

interface Said {
  readonly code: number
  readonly ok: boolean
  readonly complaints: readonly { path: string; says: string; fix: string }[]
  readonly checks: Record<string, unknown>
  readonly [more: string]: unknown
}
async function trace(...args: string[]): Promise<Said> {
  let out = ""
  const io = {
    out: (s: string) => void (out += s),
    err: () => {},
    raw: () => {},
    paint: plainPaint,
    live: false,
    width: 100,
  }
  const code = await main(["trace", ...args, "--json"], io)
  return { code, ...(JSON.parse(out) as Omit<Said, "code">) } as Said
}
const told = (s: Said) => s.complaints.map((c) => `${c.path}: ${c.says}`)

const ring = ringFiles(3)
const bin = ring.get("ring-0001.bin")!
const dumpi = (rank: (w: DumpiWriter, r: number) => DumpiWriter, ranks = 2) =>
  put(
    new Map<string, Uint8Array | string>([
      ["t.meta", metaOf(ranks, "t")],
      ...Array.from({ length: ranks }, (_, r): [string, Uint8Array] => [
        `t-000${r}.bin`,
        rank(new DumpiWriter().call("Init", [0, []]), r)
          .call("Finalize")
          .bytes(),
      ]),
    ]),
  )

describe("damaged files: exit 2, and where", () => {
  test.each([
    [
      "a DUMPI file cut off inside a call",
      "a-0001.bin",
      bin.slice(0, 200),
      /^a-0001\.bin, offset \d+, call \d+: the file ends here after 200 bytes, expected more of this call/,
    ],
    ["one cut off in its index", "a-0001.bin", bin.slice(0, -40), /^a-0001\.bin, offset \d+: expected the index/],
    [
      "a wrong magic number",
      "a-0001.bin",
      bin.map((b, i) => (i === 3 ? 0 : b)),
      /^a-0001\.bin, offset 0: expected the magic number ff aa dd 44/,
    ],
    [
      "a call that does not exist",
      "a-0001.bin",
      bin.map((b, i) => (i === 16 ? 9 : b)),
      /^a-0001\.bin, offset 16, call 0: expected the number of a call, found 2428/,
    ],
    ["an old version", "a-0001.bin", new DumpiWriter().bytes([0, 6, 5]), /version 0\.6\.5, expected 1\.0\.0 or later/],
    [
      "gzip cut off",
      "a-0001.bin.gz",
      gzipSync(bin).subarray(0, 100),
      /^a-0001\.bin\.gz: the gzip data are damaged or cut off/,
    ],
    [
      "tar cut off",
      "a.tar",
      tarOf(ring).subarray(0, 2000),
      /^a\.tar, offset 2000: the archive ends inside ring-0000\.bin/,
    ],
    ["GOAL without an end", "a.goal", goalRing(2).slice(0, 60), /^a\.goal: the file ends inside rank 0, expected "}"/],
    [
      "GOAL to any rank",
      "a.goal",
      goalRing(2).replace("to 1", "to -1"),
      /^a\.goal, line 5, rank 0: expected a rank below 2, found "-1"/,
    ],
    [
      "GOAL to a rank that is not there",
      "a.goal",
      goalRing(2).replace("to 1", "to 9"),
      /^a\.goal, line 5, rank 0: expected a rank below 2, found "9"/,
    ],
    [
      "GOAL that requires nothing",
      "a.goal",
      goalRing(2).replace("l2 requires l1", "l2 requires l9"),
      /line 6, rank 0: "l9" is no operation of this rank/,
    ],
    [
      "GOAL in a circle",
      "a.goal",
      goalRing(2).replace("l2 requires l1", "l2 requires l1\nl1 requires l2"),
      /rank 0: operations require each other: l1, l2, l1/,
    ],
    [
      "a Chakra file cut off",
      "a.0.et",
      chakraFile([{ id: 1, type: 4 }]).slice(0, -3),
      /^a\.0\.et, offset 8, node 0: the file ends inside a message/,
    ],
    [
      "a Chakra dependency on no node",
      "a.0.et",
      chakraFile([{ id: 1, type: 4, deps: [77] }]),
      /^a\.0\.et, node 1 \(node1\): depends on node 77, which is not there/,
    ],
    [
      "Chakra nodes in a circle",
      "a.0.et",
      chakraFile([
        { id: 1, type: 4, deps: [2] },
        { id: 2, type: 4, deps: [1] },
      ]),
      /nodes depend on each other: 1, 2, 1/,
    ],
    [
      "SimGrid with a word of its own",
      "a.txt",
      `${simgridRank(0, 1)}\n0 dance 3`,
      /^a\.txt, line 12, rank 0 \(dance\): "dance" is not replayed/,
    ],
    [
      "SimAI with a layer too few",
      "a.txt",
      simaiList.replace("\n2\n", "\n3\n"),
      /^a\.txt: 2 layers, expected 3 as line 2 says/,
    ],
    [
      "flows with one too few",
      "a.cm",
      flowList.replace("Connections 3", "Connections 4"),
      /^a\.cm: 3 connections, expected 4/,
    ],
    ["a matrix that is not square", "a.csv", "1,2\n3,4,5\n", /^a\.csv, line 2: 3 numbers, expected 2/],
    ["OTF2 without definitions", "a.txt", otf2Print.replace(/^CLOCK.*$/m, ""), /^a\.txt: expected CLOCK_PROPERTIES/],
    ["an OTF2 archive", "traces.otf2", "OTF2 anchor", /^traces\.otf2: an OTF2 archive, expected it as text/],
    [
      "something else",
      "a.bmp",
      "BM none of ours",
      /none of its files is one that is known \(a\.bmp\); expected one of lacewing, dumpi/,
    ],
  ])("%s", async (_, name, content, says) => {
    const got = await trace("check", file(name, content))
    expect([got.code, got.ok]).toEqual([2, false])
    expect(told(got)[0]).toMatch(says)
    expect(got.complaints.every((c) => c.fix !== "")).toBe(true)
  })
  test("a length that no file has is not believed: 2^32 - 1 requests", async () => {
    const w = new DumpiWriter().call("Waitall", [1, [2], []])
    const bytes = w.bytes()
    bytes.set([0xff, 0xff, 0xff, 0xff], 16 + 29 + 4)
    const got = await trace("check", file("a-0000.bin", bytes))
    expect(told(got)[0]).toMatch(
      /^a-0000\.bin, offset 49, call 0: expected the length of an argument, found 4294967295 elements/,
    )
  })
})

describe("programs that cannot end: exit 2, and who", () => {
  test("a receive that nobody sends to", async () => {
    const got = await trace(
      "check",
      dumpi((w, r) => (r === 0 ? w.call("Recv", [1, INT, 1, 5, WORLD, []]) : w)),
    )
    expect([got.code, told(got)]).toEqual([
      2,
      [
        expect.stringMatching(
          /, rank 0, operation 1 \(MPI_Recv\): a receive from rank 1, tag 5: no rank sends a matching message/,
        ),
      ],
    ])
    expect(got.checks["unmatchedReceives"]).toMatchObject({ count: 1 })
  })
  test("two that receive before they send", async () => {
    const other = (w: DumpiWriter, r: number) =>
      w.call("Recv", [1, INT, 1 - r, 5, WORLD, []]).call("Send", [1, INT, 1 - r, 5, WORLD])
    const got = await trace("check", dumpi(other))
    expect(got.code).toBe(2)
    expect((got.checks["circularWaits"] as { rank: number }[]).map((w) => w.rank)).toEqual([0, 1])
    expect(told(got).at(-1)).toMatch(
      /ranks 0, 1: wait for each other: rank 0, operation 1: MPI_Recv waits for a message from rank 1 with tag 5; rank 1/,
    )
  })
  test("a barrier that one rank leaves out", async () => {
    const got = await trace(
      "check",
      dumpi((w, r) => (r === 0 ? w.call("Barrier", [WORLD]) : w)),
    )
    expect([got.code, told(got)[0]]).toEqual([
      2,
      expect.stringMatching(/rank 0, operation 1 \(MPI_Barrier\): MPI_Barrier waits for rank 1 to call it/),
    ])
  })
  test("another collective than the others call", async () => {
    const got = await trace(
      "check",
      dumpi((w, r) => (r === 0 ? w.call("Barrier", [WORLD]) : w.call("Allreduce", [1, INT, 3, WORLD]))),
    )
    expect([got.code, told(got)[0]]).toEqual([2, expect.stringMatching(/another member of its communicator calls/)])
  })
  test("an unknown communicator", async () => {
    const got = await trace(
      "check",
      dumpi((w) => w.call("Barrier", [17])),
    )
    expect([got.code, told(got)[0]]).toEqual([
      2,
      expect.stringMatching(/t-0000\.bin, offset \d+, call 1 \(MPI_Barrier\): communicator 17 is unknown/),
    ])
  })
})

describe("incomplete traces can be looked at", () => {
  test("a rank is missing: summary and complaint, exit 0; it cannot be converted", async () => {
    const path = put(new Map([...ring].filter(([n]) => n !== "ring-0002.bin")))
    const got = await trace("check", path)
    expect([got.code, got.ok, told(got)[0]]).toEqual([
      0,
      true,
      expect.stringMatching(/1 of 3 ranks are missing: 2; expected a file for each/),
    ])
    expect(got).toMatchObject({
      totals: { ranks: 3, records: 22 },
      checks: { missingRanks: [2], notChecked: "partners and waits: ranks are missing" },
    })
    const out = join(dir, "never.trace")
    expect((await trace("convert", path, "--to", "lacewing", "--out", out)).code).toBe(2)
    expect(() => readFileSync(out)).toThrow("ENOENT")
  })
  test("no Finalize, and a send that nobody receives", async () => {
    const w = new DumpiWriter().call("Comm_size", [WORLD, 1]).call("Isend", [1, INT, 0, 1, WORLD, 2])
    const got = await trace("check", file("a-0000.bin", w.bytes()))
    expect([got.code, told(got)]).toEqual([
      0,
      [
        expect.stringMatching(/no MPI_Finalize in 1 ranks: 0/),
        expect.stringMatching(/1 sends have no matching receive; the first goes to rank 0 with tag 1/),
      ],
    ])
  })
})

describe("the command", () => {
  test("the .meta file stands for the files of the ranks", async () => {
    const got = await trace("check", join(put(ring), "ring.meta"))
    expect([got.code, got["totals"]]).toEqual([0, expect.objectContaining({ ranks: 3, records: 33 })])
  })
  test("convert writes what check reads", async () => {
    const goal = join(dir, "out.goal")
    const own = join(dir, "out.trace")
    expect((await trace("convert", file("a.goal", goalRing(4)), "--to", "lacewing", "--out", own)).code).toBe(0)
    expect((await trace("convert", own, "--to", "goal", "--out", goal)).code).toBe(0)
    expect(await trace("check", goal)).toMatchObject({ code: 0, ranks: 4, send: 4, recv: 4, calc: 8, sendBytes: 256 })
  })
  test.each([
    [["dance", "x"], /There is no such action/],
    [["check", "/nowhere/at/all"], /does not exist/],
    [["check", "/dev/null"], /is a device/],
    [["convert", "x"], /requires --to and --out/],
    [["check", file("a.goal", goalRing(2)), "--format", "gaol"], /there is no format "gaol"/],
    [["show", file("a.goal", goalRing(2)), "--rank", "2"], /The trace has no rank 2/],
  ])("%j is refused", async (args, says) => {
    const got = await trace(...args)
    expect([got.code, told(got)[0]]).toEqual([2, expect.stringMatching(says)])
  })
})
