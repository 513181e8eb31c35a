// Reads block traces in six forms, which it recognises by their first bytes or their first line.
//   `SRT`   The format of Hewlett-Packard has a text header up to a form feed, then records of 14 words.
//   `CSV`   The heading names the columns (sec, usec, disk, op, bytes, in any order and among others).
//   `text`  Lines of five numbers: nanoseconds, device, sector, sectors of 512 bytes, 1 = read.
//   MSR, SPC and blkparse: see forms.ts.
// C. Ruemmler and J. Wilkes, "UNIX Disk Access Patterns", 1993, describe the traces for which SRT was made.
import { type Complaint, complain } from "../../core/complaint.ts"
import { blkparse, type Form, msr, numberIn, spc } from "./forms.ts"
import type { Requests } from "./requests.ts"
import { Rows } from "./rows.ts"

const FORM_FEED = 12
const MICROSECOND = 1e6
/** bytes of a record of SRT */
const RECORD = 56
/** bytes that are decoded at a time */
const PIECE = 65_536

export function readRequests(bytes: Uint8Array, path: string): Requests | Complaint {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return complain(path, "is compressed", "unpack it first (gunzip)")
  // "$$"
  if (bytes[0] === 0x24 && bytes[1] === 0x24) return readSrt(bytes, path)
  return readLines(bytes, path)
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

/** Lines without their ends, decoded piece by piece, so that a long trace is never one text. */
function* linesOf(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder("utf-8")
  let rest = ""
  for (let at = 0; at < bytes.length; at += PIECE) {
    const lines = (rest + decoder.decode(bytes.subarray(at, at + PIECE), { stream: true })).split("\n")
    rest = lines.pop()!
    yield* lines
  }
  yield rest + decoder.decode()
}

function readLines(bytes: Uint8Array, path: string): Requests | Complaint {
  const rows = new Rows()
  let form: Form | undefined
  let n = 0
  for (const whole of linesOf(bytes)) {
    n++
    const line = whole.trim()
    if (line === "" || line.startsWith("#")) continue
    const bad = (says: string, fix: string) => complain(path, `line ${n}: ${says}`, fix)
    if (form === undefined) {
      form = [msr(), spc(), blkparse(), csv(), numbers()].find((f) => f.begins(line))
      if (form === undefined)
        return bad(
          "is of no known form",
          `give SRT, CSV with the columns ${columns.join(", ")}, MSR, SPC, blkparse or lines of five numbers`,
        )
      const heading = form.heading?.(line)
      if (heading === true) continue
      if (typeof heading === "string") return bad(heading, `name the columns ${columns.join(", ")}`)
    }
    const says = form.add(line, rows)
    if (says === "end") break
    if (says !== undefined) return bad(says, "repair the line, or remove it")
  }
  return rows.done(path)
}

const columns = ["sec", "usec", "disk", "op", "bytes"] as const

function csv(): Form {
  let at: readonly number[] = []
  return {
    begins: (line) => headingOf(line).includes("sec"),
    heading(line) {
      const heading = headingOf(line)
      at = columns.map((name) => heading.indexOf(name))
      const missing = columns.filter((_, i) => at[i] < 0)
      return missing.length > 0 ? `no column ${missing.join(", ")}` : true
    },
    add(line, rows) {
      const cells = line.split(",")
      const [sec, usec, disk, , bytes] = at.map((i) => numberIn(cells[i]))
      const op = cells[at[3]]?.trim().toUpperCase()
      if (op !== "R" && op !== "W") return `"${cells[at[3]] ?? ""}" is neither R nor W`
      return rows.add((sec! * MICROSECOND + usec!) * MICROSECOND, disk!, op === "R", bytes!)
    },
  }
}

const headingOf = (line: string) => line.split(",").map((c) => c.trim().toLowerCase())

const numbers = (): Form => ({
  begins: (line) => !line.includes(","),
  add(line, rows) {
    const cells = line.split(/\s+/)
    if (cells.length !== 5) return `has ${cells.length} cells of 5`
    const [ns, device, , sectors, read] = cells.map(numberIn)
    if (read !== 0 && read !== 1) return `"${cells[4]}" is neither 1 (read) nor 0`
    return rows.add(ns! * 1000, device!, read === 1, sectors! * 512)
  },
})
