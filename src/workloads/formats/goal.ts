// Reads GOAL schedules in the text form of LogGOPSim: sends, receives and computation of each rank, with their
// dependencies and the numbers of their processors (cpu) and network interfaces (nic). T. Hoefler, C. Siebert and A.
// Lumsdaine, "Group Operation Assembly Language - A Flexible Way to Express Collective Communication", ICPP 2009.
import { complain } from "../../core/complaint.ts"
import { ANY, inMemory, Kind, LINE_WORDS, type RankGraph, type RankSource } from "../program.ts"
import { RankWriter } from "../writer.ts"
import { BadTrace, Complaints } from "./bytes/bad.ts"
import { lineSink, wholeOf } from "./bytes/lines.ts"
import type { Sink } from "./bytes/sink.ts"
import { type Vertex, writeGraph } from "./graph.ts"
import { few, mostRanks, type Trace, type TraceFormat, type TraceReader } from "./trace.ts"

const none = new Int32Array(0)
const empty = inMemory(none, 0, none)
const unconnected: RankGraph = { place: none, cpu: none, nic: none, lines: none }

export const goal: TraceFormat = {
  name: "goal",
  about: "GOAL schedules as text: send, recv (from -1, tag -1 = any), calc (ns), cpu, nic, requires, irequires",
  accepts: (name, _, text) => /^\s*(\/\/.*\n\s*)*num_ranks\s/.test(text) || name.endsWith(".goal"),
  read: (trace) => new GoalReader(trace),
}

interface GoalVertex extends Vertex {
  readonly cpu: number
  readonly nic: number
}

/** Largest number of a processor or interface. */
const mostUnits = 1023

class GoalReader implements TraceReader {
  readonly #trace: string
  readonly #bad = new Complaints()
  readonly #counts: Record<string, number> = {}
  #ranks = 0
  #sendBytes = 0
  readonly #sources = new Map<number, RankSource>()
  readonly #graphs = new Map<number, RankGraph>()
  #file = ""

  constructor(trace: string) {
    this.#trace = trace
  }

  file(name: string): Sink {
    if (this.#file !== "") throw new BadTrace(name, `a second schedule, in addition to ${this.#file}`, "name one file")
    this.#file = name
    let rank: number | undefined
    let vertices: GoalVertex[] = []
    let labels = new Map<string, number>()
    let asks: { line: number; by: string; of: string; started: boolean }[] = []
    const wrong = (number: number, says: string, fix: string) =>
      new BadTrace(`${name}, line ${number}${rank === undefined ? "" : `, rank ${rank}`}`, says, fix)
    const close = (): void => {
      const lines = new Int32Array(LINE_WORDS * asks.length)
      for (const [i, a] of asks.entries()) {
        const [by, of] = [labels.get(a.by), labels.get(a.of)]
        if (by === undefined || of === undefined)
          throw wrong(
            a.line,
            `"${by === undefined ? a.by : a.of}" is no operation of this rank`,
            "label an operation with it, or remove the line",
          )
        const v = vertices[by]
        if (a.started) v.started.push(of)
        else v.needs.push(of)
        lines.set([by, of, a.started ? 1 : 0], LINE_WORDS * i)
      }
      const to = new RankWriter()
      const { circle, order } = writeGraph(vertices, to)
      if (circle !== undefined) {
        const names = new Map([...labels].map(([l, i]) => [i, l]))
        const round = [...circle, circle[0]].map((i) => names.get(i) ?? `operation ${i}`)
        this.#bad.add(
          `${name}, rank ${rank}`,
          `operations require each other: ${few(round)}`,
          "remove one of these requirements",
        )
      }
      const place = new Int32Array(vertices.length)
      for (const [at, v] of order.entries()) place[v] = at
      this.#sources.set(rank!, to.source())
      this.#graphs.set(rank!, {
        place,
        cpu: Int32Array.from(vertices, (v) => v.cpu),
        nic: Int32Array.from(vertices, (v) => v.nic),
        lines,
      })
    }
    const line = (raw: string, number: number): void => {
      const text = raw.replace(/\/\/.*|#.*/, "").trim()
      if (text === "") return
      if (this.#ranks === 0) {
        const n = wholeOf(/^num_ranks\s+(\S+)$/.exec(text)?.[1])
        if (n === undefined || n < 1 || n > mostRanks)
          throw wrong(number, `expected num_ranks and a number from 1 to ${mostRanks}`, "write num_ranks N first")
        this.#ranks = n
        return
      }
      if (rank === undefined) {
        const r = wholeOf(/^rank\s+(\S+)\s*\{$/.exec(text)?.[1])
        if (r === undefined || r < 0 || r >= this.#ranks)
          throw wrong(
            number,
            `expected "rank R {" with R below ${this.#ranks}, found "${text.slice(0, 40)}"`,
            "begin the block of a rank",
          )
        if (this.#sources.has(r))
          throw wrong(number, `a second block of rank ${r}`, "write all of a rank into one block")
        rank = r
        vertices = []
        labels = new Map()
        asks = []
        return
      }
      if (text === "}") {
        close()
        rank = undefined
        return
      }
      const ask = /^(\S+)\s+(i?requires)\s+(\S+)$/.exec(text)
      if (ask !== null) {
        this.#count(ask[2])
        asks.push({ line: number, by: ask[1], of: ask[3], started: ask[2] === "irequires" })
        return
      }
      const [, label, rest = ""] = /^(?:(\S+?)\s*:\s*)?([\s\S]*)$/.exec(text)!
      const vertex = this.#operation(rest)
      if (typeof vertex === "string") throw wrong(number, vertex, "write send, recv or calc as GOAL does")
      if (label !== undefined) {
        if (labels.has(label)) throw wrong(number, `a second operation is called "${label}"`, "give it another label")
        labels.set(label, vertices.length)
      }
      vertices.push(vertex)
    }
    return lineSink(name, line, () => {
      if (rank !== undefined)
        throw new BadTrace(name, `the file ends inside rank ${rank}, expected "}"`, "the file is cut off: get it again")
    })
  }

  #operation(text: string): GoalVertex | string {
    const calc = /^calc\s+(\S+)((?:\s+cpu\s+\d+)*)$/.exec(text)
    if (calc !== null) {
      const ns = wholeOf(calc[1])
      if (ns === undefined || ns < 0 || ns > 9e12) return `expected nanoseconds behind calc, found "${calc[1]}"`
      const units = unitsOf(calc[2])
      if (typeof units === "string") return units
      this.#count("calc")
      return { kind: Kind.COMPUTE, fields: { amount: ns * 1000 }, needs: [], started: [], ...units }
    }
    const m = /^(send|recv)\s+(\d+)b?\s+(to|from)\s+(\S+)(?:\s+tag\s+(\S+))?((?:\s+(?:cpu|nic)\s+\d+)*)$/.exec(text)
    if (m === null || (m[1] === "send") !== (m[3] === "to"))
      return `expected send, recv, calc, requires or "}", found "${text.slice(0, 40)}"`
    const [bytes, peer, tag] = [wholeOf(m[2]), wholeOf(m[4]), m[5] === undefined ? 0 : wholeOf(m[5])]
    if (bytes === undefined) return `expected a number of bytes, found "${m[2]}"`
    // As in LogGOPSim, -1 is any source or any tag of a receive.
    const any = m[1] === "recv" ? ANY : 0
    const or = m[1] === "recv" ? ", or -1 for any" : ""
    if (peer === undefined || peer < any || peer >= this.#ranks)
      return `expected a rank below ${this.#ranks}${or}, found "${m[4]}"`
    if (tag === undefined || tag < any || tag >= 2 ** 31)
      return `expected a tag from 0 to 2147483647${or}, found "${m[5]}"`
    const units = unitsOf(m[6])
    if (typeof units === "string") return units
    this.#count(m[1])
    if (m[1] === "send") this.#sendBytes += bytes
    return {
      kind: m[1] === "send" ? Kind.SEND : Kind.RECV,
      fields: { peer, amount: bytes, tag },
      needs: [],
      started: [],
      ...units,
    }
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1
  }

  finish(): Trace {
    const ranks = Math.max(1, this.#ranks)
    const missing = Array.from({ length: this.#ranks }, (_, r) => r).filter((r) => !this.#sources.has(r))
    const notes =
      missing.length === 0
        ? []
        : [
            complain(
              this.#trace,
              `${missing.length} of ${ranks} ranks are missing: ${few(missing)}`,
              "write a block for each rank",
            ),
          ]
    return {
      format: "goal",
      ranks,
      missing,
      summary: { ranks: this.#ranks, sendBytes: this.#sendBytes, ...this.#counts },
      program: {
        ranks,
        calls: [],
        rank: (r) => this.#sources.get(r) ?? empty,
        graph: (r) => this.#graphs.get(r) ?? unconnected,
      },
      notes,
      bad: this.#bad.told(this.#trace),
    }
  }
}

/** Returns the processor and the interface that a text such as " cpu 1 nic 2" names; a text: the error. */
function unitsOf(text: string): { cpu: number; nic: number } | string {
  const units = { cpu: 0, nic: 0 }
  const seen = new Set<string>()
  for (const [, unit, number] of text.matchAll(/(cpu|nic)\s+(\d+)/g)) {
    if (seen.has(unit)) return `a second ${unit} in one operation`
    seen.add(unit)
    if (Number(number) > mostUnits) return `expected ${unit} 0 to ${mostUnits}, found ${number}`
    if (unit === "cpu") units.cpu = Number(number)
    else units.nic = Number(number)
  }
  return units
}
