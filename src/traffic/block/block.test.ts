// Block traces: every form out of writers of our own, the samples beside the project against their summaries where they
// are at hand, damaged lines by number.
import { existsSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { Draws } from "../../core/rng.ts"
import { readRequests } from "./read.ts"
import { lastsOf, type Requests, replayed } from "./requests.ts"

const text = (lines: readonly string[]) => new TextEncoder().encode(`${lines.join("\n")}\n`)

function read(bytes: Uint8Array): Requests {
  const got = readRequests(bytes, "file")
  if ("says" in got) throw new Error(got.says)
  return got
}

function complaint(bytes: Uint8Array): string {
  const got = readRequests(bytes, "file")
  return "says" in got ? got.says : "nothing"
}

/** Records of SRT: microseconds, disk, read, bytes. */
function srt(rows: readonly (readonly [number, number, boolean, number])[], cut = 0): Uint8Array {
  const header = new TextEncoder().encode("$$TR_IOREC-1.3\nversion = 1.3;\n\f")
  const view = new DataView(new ArrayBuffer(rows.length * 56))
  rows.forEach(([us, disk, isRead, bytes], i) => {
    const words = [
      56,
      0x40001,
      Math.floor(us / 1e6),
      us % 1e6,
      0,
      0,
      bytes,
      9,
      0x08000000 | (disk << 8) | 7,
      4,
      1,
      isRead ? 0x1b : 0x1a,
      0,
      1,
    ]
    for (const [n, w] of words.entries()) view.setInt32(i * 56 + 4 * n, w)
  })
  return Uint8Array.from([...header, ...new Uint8Array(view.buffer)]).slice(0, header.length + rows.length * 56 - cut)
}

const plain = { time: [0, 22_479e6, 1_000_001e6], disk: [1, 1, 0], read: [1, 1, 0], bytes: [4096, 2048, 512] }
const columns = ({ time, disk, read: r, bytes }: Requests) => ({
  time: [...time],
  disk: [...disk],
  read: [...r],
  bytes: [...bytes],
})

describe("one trace in every form", () => {
  test.each<[string, Uint8Array, typeof plain?]>([
    [
      "SRT",
      srt([
        [0, 1, true, 4096],
        [22_479, 1, true, 2048],
        [1_000_001, 0, false, 512],
      ]),
    ],
    [
      "CSV",
      text([
        "sec,usec,disk,section,op,sync,block,bytes",
        "0,0,1,7,R,S,1056,4096",
        "0,22479,1,7,R,S,1,2048",
        "1,1,0,7,w,S,1,512",
      ]),
    ],
    [
      "MSR with a heading",
      text([
        "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime",
        // 224,790 and 10,000,010 ticks of 100 ns later
        "129000000000000007,web,1,Read,540672,4096,5000",
        "129000000000224797,web,1,Read,8192,2048,700",
        "129000000010000017,web,0,Write,0,512,90",
      ]),
    ],
    ["SPC", text(["1,1056,4096,R,3.5", "1,8,2048,r,3.522479,7", "0,7,512,W,4.500001"])],
    [
      "blkparse",
      text([
        "  8,16   0        1     0.000000000   411  Q   W 9 + 0 [sync]".replace("Q   W 9 + 0", "Q  FN"),
        "  8,0    0        2     0.000000000   411  m   N plugged",
        "  8,16   0        3     1.000000000   411  Q   W 100 + 1 [app]",
        "  8,16   0        4     1.000000100   411  D   W 100 + 1 [app]",
        "  8,0    1        5     1.022479000   412  Q  RA 657728 + 8 [app]",
        "  8,0    1        6     1.030000000   412  Q   D 657728 + 8 [trim]",
        "CPU0 (8,0):",
        " Reads Queued:           1,        4KiB",
      ]),
      { time: [0, 22_479e6], disk: [0, 1], read: [0, 1], bytes: [512, 4096] },
    ],
    ["numbers", text(["0 1 657728 8 1", "22479000 1 31244784 4 1", "# a note", "1000001000 0 5 1 0"])],
  ])("%s", (_, bytes, is = plain) => expect(columns(read(bytes))).toEqual(is))
})

test("a trace is decoded piece by piece, and no line is cut", () => {
  // 20,000 lines of 15 to 19 characters are more than four pieces of 65,536 bytes
  const got = read(text(Array.from({ length: 20_000 }, (_, i) => `${i * 1000} ${i % 7} 5 8 ${i % 2}`)))
  expect(got.time.length).toBe(20_000)
  expect([...got.time].every((t, i) => t === i * 1e6)).toBe(true)
  expect([...got.disk].every((d, i) => d === i % 7)).toBe(true)
})

describe("damaged", () => {
  test.each([
    [
      "a bad line",
      text(["sec,usec,disk,op,bytes", "0,0,0,R,512", "", "0,x,0,R,512"]),
      "line 4: its time is no number, or negative",
    ],
    ["MSR: neither", text(["1,a,0,Read,0,512,1", "2,a,0,Trim,0,512,1"]), 'line 2: "Trim" is neither Read nor Write'],
    ["MSR: too short", text(["1,a,0,Read,0,512,1", "2,a,0"]), "line 2: has 3 cells of 7"],
    ["MSR: no time", text(["1,a,0,Read,0,512,1", "x,a,0,Read,0,512,1"]), "line 2: its time is no number, or negative"],
    [
      "MSR: back in time",
      text(["9,a,0,Read,0,512,1", "8,a,0,Read,0,512,1"]),
      "line 2: it is earlier than the one before",
    ],
    ["SPC: no bytes", text(["0,8,512,R,0.1", "0,8,0,R,0.2"]), "line 2: it has no bytes"],
    ["SPC: too short", text(["0,8,512,R"]), "line 1: has 4 cells of 5"],
    ["SPC: neither", text(["0,8,512,R,0.1", "0,8,512,X,0.2"]), 'line 2: "X" is neither R nor W'],
    ["blkparse: no sectors", text(["8,0 0 1 0.5 9 Q R 77 + 8 [a]", "8,0 0 1 0.6 9 Q R 77"]), "line 2: has no sectors"],
    ["blkparse: no device", text(["8,0 0 1 0.5 9 Q R 77 + 8 [a]", "sda 0 1"]), 'line 2: "sda" is not a device'],
    ["blkparse: nothing queued", text(["8,0 0 1 0.5 9 C R 77 + 8 [0]"]), "has no requests"],
    ["of no form", text(["1,2,3,4,5"]), "line 1: is of no known form"],
    ["neither read nor write", text(["sec,usec,disk,op,bytes", "0,0,0,Q,512"]), 'line 2: "Q" is neither R nor W'],
    ["a line too short", text(["1 2 3 4 1", "1 2 3"]), "line 2: has 3 cells of 5"],
    ["back in time", text(["5000 0 1 8 1", "4000 0 1 8 1"]), "line 2: it is earlier than the one before"],
    ["nothing to move", text(["5000 0 1 0 1"]), "line 1: it has no bytes"],
    ["a column too few", text(["sec,usec,disk,op", "0,0,0,R"]), "line 1: no column bytes"],
    [
      "cut off",
      srt(
        [
          [0, 1, true, 4096],
          [5, 1, true, 4096],
        ],
        20,
      ),
      "record 2: is cut off after 36 of 56 bytes",
    ],
    ["no header's end", text(["$$TR_IOREC-1.3"]), "its header has no end (a form feed)"],
    ["packed", Uint8Array.of(0x1f, 0x8b, 8), "is compressed"],
    ["empty", text(["# nothing"]), "has no requests"],
  ])("%s", (_, bytes, says) => expect(complaint(bytes)).toBe(says))
})

describe("replayed", () => {
  const requests = read(text(["0 0 1 8 1", "1000 1 1 16 0", "2000 0 1 8 0"]))
  test("reads come from the disk, writes go to it, in order of time for each sender", () => {
    const s = replayed(requests, { ends: 6, hosts: [0, 1], disks: [4, 5], drawn: false }, new Draws(1))
    // hosts 0 and 1 write 8 KiB to disk 1 (endpoint 5) and 4 KiB to disk 0; disk 0 answers both
    expect([...s.first]).toEqual([0, 2, 4, 4, 4, 6, 6])
    expect([...s.to]).toEqual([5, 4, 5, 4, 0, 1])
    expect([...s.bytes]).toEqual([8192, 4096, 8192, 4096, 4096, 4096])
    expect([...s.time]).toEqual([1e6, 2e6, 1e6, 2e6, 0, 0])
    // two gaps of 1 us, and one after the last
    expect(lastsOf(requests)).toBe(3e6)
  })
  test("drawn: all of it, for each host from a time of its own", () => {
    const s = replayed(
      requests,
      { ends: 40, hosts: [0, 1, 2, 3], disks: Array.from({ length: 32 }, (_, i) => 8 + i), drawn: true },
      new Draws(3),
    )
    expect(s.time.length).toBe(12)
    expect(s.bytes.reduce((a, b) => a + b, 0)).toBe(4 * 16384)
    expect(Math.max(...s.time)).toBeLessThan(3e6)
    expect(new Set(s.time).size).toBeGreaterThan(4)
  })
})

const samples = new URL("../../../../shared/traces/block/", import.meta.url)

describe.skipIf(!existsSync(new URL("ajw.1week.srt.gz", samples)))(
  "a week of 1992 (skipped where the samples are not beside the project)",
  () => {
    const sample = (name: string) => read(gunzipSync(readFileSync(new URL(name, samples))))
    const summary = (name: string) => JSON.parse(readFileSync(new URL(name, samples), "utf8")) as Record<string, number>
    const totals = (r: Requests) => {
      const sum = (of: number) => r.bytes.reduce((n, b, i) => n + (r.read[i] === of ? b : 0), 0)
      const reads = r.read.reduce((n, x) => n + x, 0)
      return { records: r.time.length, reads, writes: r.time.length - reads, bytesRead: sum(1), bytesWritten: sum(0) }
    }
    test("SRT and CSV are the same, with the totals of the summary", () => {
      const a = sample("ajw.1week.srt.gz")
      expect(columns(sample("ajw.1week.csv.gz"))).toEqual(columns(a))
      expect(summary("ajw.1week.summary.json")).toMatchObject(totals(a))
      expect(Math.floor(a.time.at(-1)! / 1e12)).toBe(603064)
    })
    test("a web search: lines of numbers", () => {
      const a = sample("wsrch-small.trace.gz")
      expect(summary("wsrch-small.summary.json")).toMatchObject(totals(a))
      expect(a.time.at(-1)).toBe((60066625000 - 11413000) * 1000)
    })
  },
)
