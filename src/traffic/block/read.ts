// Reads block traces in three forms, which it recognises by their first bytes.
//   `SRT`   The format of Hewlett-Packard has a text header up to a form feed, then records of 14 words.
//   `CSV`   The heading names the columns (sec, usec, disk, op, bytes, in any order and among others).
//   `text`  Other files have lines of five numbers: nanoseconds, device, sector, sectors of 512 bytes, 1 = read.
// C. Ruemmler and J. Wilkes, "UNIX Disk Access Patterns", 1993, describe the traces for which SRT was made.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Requests } from "./requests.ts"

const FORM_FEED = 12
const MICROSECOND = 1e6
/** bytes of a record of SRT */
const RECORD = 56

export function readRequests(bytes: Uint8Array, path: string): Requests | Complaint {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return complain(path, "is compressed", "unpack it first (gunzip)")
  // "$$"
  if (bytes[0] === 0x24 && bytes[1] === 0x24) return readSrt(bytes, path)
  return readLines(new TextDecoder("utf-8").decode(bytes), path)
}

class Rows {
  readonly time: number[] = []
  readonly disk: number[] = []
  readonly read: number[] = []
  readonly bytes: number[] = []
  /** what is wrong with it, if anything */
  add(ps: number, disk: number, read: boolean, bytes: number): string | undefined {
    if (!(ps >= 0) || !Number.isFinite(ps)) return "its time is no number, or negative"
    if (this.time.length > 0 && ps < this.time.at(-1)!) return "it is earlier than the one before"
    if (!Number.isInteger(disk) || disk < 0) return "its disk is no number"
    if (!Number.isInteger(bytes) || bytes < 1) return "it has no bytes"
    this.time.push(ps)
    this.disk.push(disk)
    this.read.push(read ? 1 : 0)
    this.bytes.push(bytes)
    return undefined
  }
  done(path: string): Requests | Complaint {
    if (this.time.length === 0) return complain(path, "has no requests", "give a trace with at least one")
    const start = this.time[0]
    return {
      time: Float64Array.from(this.time, (t) => t - start),
      disk: Int32Array.from(this.disk),
      read: Uint8Array.from(this.read),
      bytes: Float64Array.from(this.bytes),
    }
  }
}

function readSrt(bytes: Uint8Array, path: string): Requests | Complaint {
  const from = bytes.indexOf(FORM_FEED) + 1
  if (from === 0) return complain(path, "its header has no end (a form feed)", "give a whole SRT file")
  const view = new DataView(bytes.buffer, bytes.byteOffset + from, bytes.byteLength - from)
  const rows = new Rows()
  for (let at = 0, n = 1; at < view.byteLength; at += RECORD, n++) {
    const bad = (says: string) => complain(path, `record ${n}: ${says}`, "repair it, or get the trace again")
    if (at + RECORD > view.byteLength) return bad(`is cut off after ${view.byteLength - at} of ${RECORD} bytes`)
    const word = (i: number) => view.getInt32(at + 4 * i)
    if (word(0) !== RECORD) return bad(`says that it has ${word(0)} bytes, records have ${RECORD}`)
    const says = rows.add(
      (word(2) * MICROSECOND + word(3)) * MICROSECOND,
      (word(8) >> 8) & 255,
      (word(11) & 1) !== 0,
      word(6),
    )
    if (says !== undefined) return bad(says)
  }
  return rows.done(path)
}

const columns = ["sec", "usec", "disk", "op", "bytes"] as const

function readLines(text: string, path: string): Requests | Complaint {
  const lines = text.split(/\r?\n/)
  const heading = lines[0].split(",").map((c) => c.trim().toLowerCase())
  const at = columns.map((name) => heading.indexOf(name))
  const csv = heading.includes("sec")
  const missing = columns.filter((_, i) => at[i] < 0)
  if (csv && missing.length > 0)
    return complain(path, `line 1: no column ${missing.join(", ")}`, `name the columns ${columns.join(", ")}`)
  const rows = new Rows()
  for (let n = csv ? 1 : 0; n < lines.length; n++) {
    const line = lines[n].trim()
    if (line === "" || line.startsWith("#")) continue
    const says = csv ? ofCsv(line.split(","), at, rows) : ofNumbers(line.split(/\s+/), rows)
    if (says !== undefined) return complain(path, `line ${n + 1}: ${says}`, "repair the line, or remove it")
  }
  return rows.done(path)
}

const numberIn = (cell: string | undefined): number =>
  cell === undefined || cell.trim() === "" ? Number.NaN : Number(cell)

function ofCsv(cells: readonly string[], at: readonly number[], rows: Rows): string | undefined {
  const [sec, usec, disk, , bytes] = at.map((i) => numberIn(cells[i]))
  const op = cells[at[3]]?.trim().toUpperCase()
  if (op !== "R" && op !== "W") return `"${cells[at[3]] ?? ""}" is neither R nor W`
  return rows.add((sec! * MICROSECOND + usec!) * MICROSECOND, disk!, op === "R", bytes!)
}

function ofNumbers(cells: readonly string[], rows: Rows): string | undefined {
  if (cells.length !== 5) return `has ${cells.length} cells of 5`
  const [ns, device, , sectors, read] = cells.map(numberIn)
  if (read !== 0 && read !== 1) return `"${cells[4]}" is neither 1 (read) nor 0`
  return rows.add(ns! * 1000, device!, read === 1, sectors! * 512)
}
