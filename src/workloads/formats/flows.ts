// Reads lists of flows and matrices of bytes: htsim's connection matrices (.cm), tables with the columns
// `src,dst,bytes,start_ns`, and square tables of numbers. Each flow becomes a send at its start time and a receive at
// its destination.
import { type Complaint, complain } from "../../core/complaint.ts"
import { type FlowRequests, inMemory, type Program } from "../program.ts"
import { RankWriter } from "../writer.ts"
import { BadTrace } from "./bytes/bad.ts"
import { lineSink, numberOf, wholeOf } from "./bytes/lines.ts"
import type { Sink } from "./bytes/sink.ts"
import { mostRanks, type Trace, type TraceFormat, type TraceReader } from "./trace.ts"

const empty = inMemory(new Int32Array(0), 0, new Int32Array(0))

interface Flow {
  readonly from: number
  readonly to: number
  readonly bytes: number
  /** Picoseconds. */
  readonly start: number
}

export const htsim: TraceFormat = {
  name: "flows",
  about:
    "lists of flows: htsim's .cm (SRC->DST start US size BYTES), or a table src,dst,bytes[,start_ns] (pdf_num_bytes: " +
    "shares of 1 GiB)",
  accepts: (_, __, text) =>
    /^\s*Nodes\s+\d/i.test(text) || /^#?\s*(\w+,)*src,dst,(bytes|size|pdf_num_bytes)/i.test(text),
  read: (trace) => new FlowReader(trace),
}

class FlowReader implements TraceReader {
  readonly #trace: string
  readonly #flows: Flow[] = []
  #nodes = 0
  #said: number | undefined
  constructor(trace: string) {
    this.#trace = trace
  }
  file(name: string): Sink {
    let columns: readonly string[] | undefined
    return lineSink(
      name,
      (raw, number) => {
        const text = raw.trim()
        if (text === "" || (text.startsWith("#") && !/src,dst/i.test(text))) return
        const wrong = (says: string): BadTrace => new BadTrace(`${name}, line ${number}`, says, "check the file")
        const head = /^(Nodes|Connections)\s+(\d{1,9})$/i.exec(text)
        if (head !== null) {
          if (Number(head[2]) > mostRanks) throw wrong(`${head[2]}, expected at most ${mostRanks}`)
          if (head[1].toLowerCase() === "nodes") this.#nodes = Number(head[2])
          else this.#said = Number(head[2])
          return
        }
        if (/src,dst/i.test(text)) {
          columns = text
            .replace(/^#/, "")
            .toLowerCase()
            .split(",")
            .map((c) => c.trim())
          return
        }
        const flow = columns === undefined ? connection(text) : row(columns, text.split(","))
        if (typeof flow === "string") throw wrong(flow)
        if (this.#said !== undefined && (flow.from >= this.#nodes || flow.to >= this.#nodes))
          throw wrong(`a flow from ${flow.from} to ${flow.to}, expected nodes below ${this.#nodes}`)
        if (flow.from >= mostRanks || flow.to >= mostRanks)
          throw wrong(`a flow from ${flow.from} to ${flow.to}, expected nodes below ${mostRanks}`)
        this.#flows.push(flow)
      },
      () => {
        if (this.#said !== undefined && this.#said !== this.#flows.length)
          throw new BadTrace(
            name,
            `${this.#flows.length} connections, expected ${this.#said} as its head says`,
            "the file is cut off: get it again",
          )
      },
    )
  }
  finish(): Trace {
    const ranks = this.#flows.reduce((n, f) => Math.max(n, f.from + 1, f.to + 1), Math.max(1, this.#nodes))
    return traceOf("flows", this.#trace, ranks, this.#flows, [])
  }
}

/** Parses one line of a connection matrix. Returns the flow, or a message about the line. */
function connection(text: string): Flow | string {
  const m = /^(\d{1,9})->(\d{1,9})((?:\s+\w+\s+\S+)*)$/.exec(text)
  if (m === null) return `expected "SRC->DST start US size BYTES", found "${text.slice(0, 40)}"`
  const words = m[3].trim().split(/\s+/)
  const keys = new Map<string, string>()
  for (let i = 0; i + 1 < words.length; i += 2) keys.set(words[i], words[i + 1])
  for (const k of keys.keys())
    if (!["id", "start", "size"].includes(k)) return `"${k}" is not replayed, expected id, start and size`
  const [start, size] = [keys.has("start") ? numberOf(keys.get("start")) : 0, wholeOf(keys.get("size"))]
  if (size === undefined || size < 0) return `size is "${keys.get("size") ?? "missing"}", expected bytes`
  if (start === undefined || start < 0 || start > 9e9) return `start is "${keys.get("start")}", expected microseconds`
  // htsim reads whole microseconds (2.7 is 2), although a comment in its source mentions picoseconds.
  return { from: Number(m[1]), to: Number(m[2]), bytes: size, start: Math.trunc(start) * 1e6 }
}

/** Parses one row of a table. Returns the flow, or a message about the row. */
function row(columns: readonly string[], cells: readonly string[]): Flow | string {
  const cell = (...names: readonly string[]) => cells[columns.findIndex((c) => names.includes(c))]?.trim()
  // A distribution assigns each pair a fraction of all bytes. Here the total is 1 GiB.
  const share = numberOf(cell("pdf_num_bytes"))
  const [from, to] = [wholeOf(cell("src")), wholeOf(cell("dst"))]
  const bytes = share !== undefined && share <= 1 ? Math.round(share * 2 ** 30) : wholeOf(cell("bytes", "size"))
  const ns = cell("start_ns") === undefined ? 0 : numberOf(cell("start_ns"))
  if (from === undefined || to === undefined || from < 0 || to < 0)
    return `src and dst are "${cell("src")}" and "${cell("dst")}", expected numbers from 0`
  if (bytes === undefined || bytes < 0) return `bytes are "${cell("bytes", "size")}", expected a number from 0`
  if (ns === undefined || ns < 0 || ns > 9e12) return `start_ns is "${cell("start_ns")}", expected nanoseconds`
  return { from, to, bytes, start: Math.round(ns * 1000) }
}

export const matrix: TraceFormat = {
  name: "matrix",
  about: "a square table of bytes, one row for each sender (CSV or blanks)",
  accepts: (name, _, text) =>
    /\.(csv|mat|matrix|txt)$/.test(name) && /^\s*\d+(\.\d*)?([eE][+-]?\d+)?[,;\s]\s*\d[\d.,;\seE+-]*$/.test(text),
  read: (trace) => new MatrixReader(trace),
}

class MatrixReader implements TraceReader {
  readonly #trace: string
  readonly #rows: Flow[] = []
  #count = 0
  #self = 0
  constructor(trace: string) {
    this.#trace = trace
  }
  file(name: string): Sink {
    let width: number | undefined
    return lineSink(
      name,
      (raw, number) => {
        const text = raw.trim()
        if (text === "") return
        const wrong = (says: string): BadTrace =>
          new BadTrace(`${name}, line ${number}`, says, "write a square table of bytes")
        const cells = text.split(/[,;\s]+/)
        width ??= cells.length
        if (cells.length !== width) throw wrong(`${cells.length} numbers, expected ${width} as in the first line`)
        if (this.#count === width) throw wrong(`more lines than the ${width} numbers of a line`)
        cells.forEach((c, to) => {
          const bytes = numberOf(c)
          if (bytes === undefined || bytes < 0 || bytes > 2 ** 52)
            throw wrong(`"${c.slice(0, 20)}" in column ${to + 1}, expected bytes`)
          if (to === this.#count) this.#self += bytes
          else if (bytes > 0) this.#rows.push({ from: this.#count, to, bytes: Math.round(bytes), start: 0 })
        })
        this.#count++
      },
      () => {
        if (this.#count !== (width ?? 0))
          throw new BadTrace(
            name,
            `${this.#count} lines, expected ${width ?? 0} as there are columns`,
            "the file is cut off: get it again",
          )
      },
    )
  }
  finish(): Trace {
    const notes =
      this.#self === 0
        ? []
        : [
            complain(
              this.#trace,
              `${this.#self} bytes of ranks to themselves are left out`,
              "that is as it should be: they do not cross the network",
            ),
          ]
    return traceOf("matrix", this.#trace, Math.max(1, this.#count), this.#rows, notes)
  }
}

/**
 * Returns the trace of a list of flows. Each rank starts its flows at their times and receives those to it. Each flow
 * has a separate tag, so it matches only its own receive.
 */
function traceOf(
  format: string,
  trace: string,
  ranks: number,
  flows: readonly Flow[],
  notes: readonly Complaint[],
): Trace {
  const out = new Map<number, number[]>()
  const into = new Map<number, number[]>()
  const put = (to: Map<number, number[]>, key: number, i: number) => {
    const list = to.get(key)
    if (list === undefined) to.set(key, [i])
    else list.push(i)
    return (list?.length ?? 1) - 1
  }
  // A rank numbers its receives first, then its sends in the order of their start times.
  const receive = flows.map((f, i) => put(into, f.to, i))
  const byStart = flows.map((_, i) => i).sort((a, b) => flows[a].start - flows[b].start || a - b)
  const send: number[] = []
  for (const i of byStart) send[i] = (into.get(flows[i].from)?.length ?? 0) + put(out, flows[i].from, i)
  const program: Program = {
    ranks,
    calls: [],
    flows: flows.map(
      ({ from, to, bytes }, i): FlowRequests => ({ from, to, bytes, send: send[i], receive: receive[i] }),
    ),
    rank: (r) => {
      const sends = out.get(r) ?? []
      const receives = into.get(r) ?? []
      if (sends.length + receives.length === 0) return empty
      const to = new RankWriter()
      const needs: number[] = []
      for (const i of receives) {
        to.irecv(flows[i].from, flows[i].bytes, i, receive[i])
        needs.push(receive[i])
      }
      let now = 0
      for (const i of sends) {
        const f = flows[i]
        if (f.start > now) to.compute(f.start - now)
        now = Math.max(now, f.start)
        to.isend(f.to, f.bytes, i, send[i])
        needs.push(send[i])
      }
      to.wait(needs)
      return to.source()
    },
  }
  const bytes = flows.reduce((sum, f) => sum + f.bytes, 0)
  const last = flows.reduce((t, f) => Math.max(t, f.start), 0)
  return {
    format,
    ranks,
    missing: [],
    summary: {
      ranks,
      flows: flows.length,
      bytes,
      pairs: new Set(flows.map((f) => f.from * ranks + f.to)).size,
      lastStartPicoseconds: last,
    },
    program,
    notes,
    bad: flows.length > 0 ? [] : [complain(trace, "there is no flow in it", "check the file")],
  }
}
