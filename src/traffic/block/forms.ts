// Block traces with one request in a line, as three tools write them.
//   `MSR`       Timestamp (100 ns), host, disk, Read or Write, offset, bytes, response time; with or without a heading.
//               D. Narayanan, A. Donnelly and A. Rowstron, "Write Off-Loading: Practical Power Management for
//               Enterprise Storage", 2008.
//   `SPC`       Application unit, block, bytes, R or W, seconds; more cells are not read. Storage Performance Council,
//               "SPC Trace File Format Specification", revision 1.0.1, 2002.
//   `blkparse`  The output of this tool of Linux. Queued requests (action Q) that read or write are the trace. Each
//               device is a disk, in the order of their first requests. The summary at the end is not read.
import type { Rows } from "./rows.ts"

export interface Form {
  /** whether the first line is of this form */
  begins(line: string): boolean
  /** whether the first line is a heading; a text says what is wrong with it */
  heading?(line: string): boolean | string
  /** Adds the request of a line. Returns what is wrong with it, or that the trace ends here. */
  add(line: string, rows: Rows): string | undefined
}

const SECTOR = 512
const MSR_TICK = 100_000
const SECOND_NS = 1e9
const NS = 1000

export const numberIn = (cell: string | undefined): number =>
  cell === undefined || cell.trim() === "" ? Number.NaN : Number(cell)

const cellsOf = (line: string) => line.split(",").map((c) => c.trim())

export function msr(): Form {
  const heads = ["timestamp", "hostname", "disknumber", "type", "offset", "size"]
  let start: bigint | undefined
  return {
    begins(line) {
      const cells = cellsOf(line.toLowerCase())
      return heads.every((head, i) => cells[i] === head) || cells[3] === "read" || cells[3] === "write"
    },
    heading: (line) => line.toLowerCase().startsWith("timestamp"),
    add(line, rows) {
      const cells = cellsOf(line)
      if (cells.length < heads.length) return `has ${cells.length} cells of ${heads.length + 1}`
      const [time, , disk, type, , bytes] = cells
      const op = type!.toLowerCase()
      if (op !== "read" && op !== "write") return `"${type}" is neither Read nor Write`
      if (!/^\d+$/.test(time!)) return "its time is no number, or negative"
      // ticks since 1601 need more than 53 bits
      start ??= BigInt(time!)
      const since = Number(BigInt(time!) - start)
      if (since < 0) return "it is earlier than the one before"
      return rows.add(since * MSR_TICK, numberIn(disk), op === "read", numberIn(bytes))
    },
  }
}

export const spc = (): Form => ({
  begins: (line) => /^[rw]$/i.test(cellsOf(line)[3] ?? ""),
  add(line, rows) {
    const cells = cellsOf(line)
    if (cells.length < 5) return `has ${cells.length} cells of 5`
    const [unit, , bytes, op, seconds] = cells
    if (!/^[rw]$/i.test(op!)) return `"${op}" is neither R nor W`
    const ps = Math.round(numberIn(seconds) * SECOND_NS) * NS
    return rows.add(ps, numberIn(unit), op!.toLowerCase() === "r", numberIn(bytes))
  },
})

export function blkparse(): Form {
  const disks = new Map<string, number>()
  return {
    begins: (line) => /^\d+,\d+\s+\d+\s+\d+\s+\d+\.\d+\s/.test(line),
    add(line, rows) {
      if (/^(CPU|Total)/.test(line)) return "end"
      const [device, , , seconds, , action, kind, sector, plus, sectors] = line.split(/\s+/)
      if (!/^\d+,\d+$/.test(device!)) return `"${device}" is not a device`
      if (action === undefined) return "has no action"
      // others are later stages of the same requests, or messages; discards and flushes move no data
      if (action !== "Q" || !/[RW]/.test(kind ?? "") || /D/.test(kind!)) return undefined
      if (sector === undefined || plus !== "+") return "has no sectors"
      if (!disks.has(device!)) disks.set(device!, disks.size)
      const ps = Math.round(numberIn(seconds) * SECOND_NS) * NS
      return rows.add(ps, disks.get(device!)!, kind!.includes("R"), numberIn(sectors) * SECTOR)
    },
  }
}
