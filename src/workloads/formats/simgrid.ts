// Reads time-independent traces of SimGrid (H. Casanova, F. Desprez, G. S. Markomanolis and F. Suter, "Simulation of
// MPI applications with time-independent traces", 2015). Each line is `rank call arguments`. Computation is in
// floating-point operations, sizes are in elements of a datatype.
import { complain } from "../../core/complaint.ts"
import { ANY, inMemory, Kind } from "../program.ts"
import { RankWriter } from "../writer.ts"
import { BadTrace } from "./bytes/bad.ts"
import { lineSink, numberOf, wholeOf } from "./bytes/lines.ts"
import type { Sink } from "./bytes/sink.ts"
import { Requests } from "./requests.ts"
import { few, mostRanks, type ReadOptions, type Trace, type TraceFormat, type TraceReader } from "./trace.ts"

const empty = inMemory(new Int32Array(0), 0, new Int32Array(0))
/**
 * Bytes of SimGrid's datatypes by number: double, int, char, short, long, float, byte, long long, signed and unsigned
 * char, …
 */
const typeBytes: readonly number[] = [8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8]
const usualFlops = 1e9
const words =
  "init|finalize|compute|comm_size|comm_split|comm_dup|sleep|location|send|isend|recv|irecv|" +
  "sendrecv|wait|waitall|waitany|test|testall|barrier|bcast|reduce|allreduce|alltoall|alltoallv|" +
  "gather|gatherv|scatter|scatterv|allgather|allgatherv|reducescatter|scan|exscan"
const lineOf = new RegExp(`^\\s*\\d+\\s+(${words})(\\s|$)`, "i")

export const simgrid: TraceFormat = {
  name: "simgrid",
  about: "SimGrid's time-independent traces: one text file for each rank, or one for all",
  accepts: (_, __, text) => lineOf.test(text),
  read: (trace, options) => new SimgridReader(trace, options),
}

class Rank {
  readonly to = new RankWriter()
  readonly counts: Record<string, number> = {}
  readonly requests = new Requests()
  /** Receives and sends in progress by "source destination tag", the oldest first. */
  readonly open = new Map<string, number[]>()
  next = 0
  /** Bytes of an element without a datatype. */
  element = 1
}

class SimgridReader implements TraceReader {
  readonly #trace: string
  readonly #flops: number
  readonly #ranks = new Map<number, Rank>()
  #size = 0

  constructor(trace: string, options: ReadOptions) {
    this.#trace = trace
    this.#flops = options.flops ?? usualFlops
  }

  file(name: string): Sink {
    return lineSink(name, (line, number) => {
      const text = line.trim()
      if (text === "" || text.startsWith("#")) return
      const [who, call = "", ...args] = text.split(/\s+/)
      const rank = wholeOf(who)
      if (rank === undefined || rank < 0 || rank >= mostRanks)
        throw new BadTrace(
          `${name}, line ${number}`,
          `expected "rank call arguments", found "${text.slice(0, 40)}"`,
          "check the file",
        )
      let state = this.#ranks.get(rank)
      if (state === undefined) this.#ranks.set(rank, (state = new Rank()))
      const wrong = this.#call(state, rank, call.toLowerCase(), args)
      if (wrong !== undefined)
        throw new BadTrace(`${name}, line ${number}, rank ${rank} (${call.slice(0, 20)})`, wrong, "check the file")
      state.counts[call.toLowerCase()] = (state.counts[call.toLowerCase()] ?? 0) + 1
    })
  }

  #call(s: Rank, rank: number, call: string, args: readonly string[]): string | undefined {
    const { to } = s
    const whole = (i: number, least = 0): number => {
      // Sizes may be written as doubles.
      const n = numberOf(args[i])
      if (n === undefined || !Number.isInteger(n) || n < least || n > 2 ** 48)
        throw new Wrong(`argument ${i + 1} is "${args[i] ?? "missing"}", expected a whole number from ${least}`)
      return n
    }
    const element = (i: number): number => (args[i] === undefined ? s.element : (typeBytes[whole(i)] ?? s.element))
    try {
      switch (call) {
        case "init":
          s.element = args[0] === undefined ? 1 : 8
          to.op(Kind.INIT)
          return
        case "finalize":
          to.op(Kind.FINALIZE)
          return
        case "comm_size":
        case "location":
          this.#size = Math.max(this.#size, call === "comm_size" ? Math.min(whole(0), mostRanks) : 0)
          return
        case "compute":
        case "sleep": {
          const n = numberOf(args[0])
          if (n === undefined || n < 0) return `argument 1 is "${args[0] ?? "missing"}", expected a number from 0`
          const ps = Math.round(call === "sleep" ? n * 1e12 : (n / this.#flops) * 1e12)
          if (ps > Number.MAX_SAFE_INTEGER) return `${n} is more than 2^53 picoseconds`
          to.compute(ps)
          return
        }
        case "send":
        case "isend": {
          const [peer, tag, bytes] = [whole(0), whole(1), whole(2) * element(3)]
          if (call === "send") to.send(peer, bytes, tag)
          else to.isend(peer, bytes, tag, this.#issue(s, `${rank} ${peer} ${tag}`))
          return
        }
        case "recv":
        case "irecv": {
          const [source, tag, bytes] = [whole(0, -1), whole(1, -1), whole(2) * element(3)]
          if (call === "recv") to.recv(source < 0 ? ANY : source, bytes, tag < 0 ? ANY : tag)
          else
            to.irecv(source < 0 ? ANY : source, bytes, tag < 0 ? ANY : tag, this.#issue(s, `${source} ${rank} ${tag}`))
          return
        }
        case "wait":
          return this.#wait(s, [this.#take(s, `${whole(0, -1)} ${whole(1, -1)} ${whole(2, -1)}`)])
        case "waitall":
          return this.#wait(
            s,
            [...s.open.keys()].flatMap((k) => s.open.get(k)!.map(() => this.#take(s, k))),
          )
        case "test":
        case "testall":
          return
        default:
          return this.#collective(s, call, args, whole, element)
      }
    } catch (e) {
      if (e instanceof Wrong) return e.message
      throw e
    }
  }

  #issue(s: Rank, key: string): number {
    const id = s.next++
    const list = s.open.get(key)
    if (list === undefined) s.open.set(key, [id])
    else list.push(id)
    return s.requests.issue(id)
  }
  #take(s: Rank, key: string): number | undefined {
    const list = s.open.get(key)
    const id = list?.shift()
    if (list?.length === 0) s.open.delete(key)
    return id
  }
  #wait(s: Rank, ids: readonly (number | undefined)[]): undefined {
    const needs = ids.flatMap((id) => (id === undefined ? [] : (s.requests.get(id) ?? [])))
    for (const id of ids) if (id !== undefined) s.requests.forget(id)
    if (needs.length > 0) s.to.wait(needs)
  }

  #collective(
    s: Rank,
    call: string,
    args: readonly string[],
    whole: (i: number, least?: number) => number,
    element: (i: number) => number,
  ): string | undefined {
    const { to } = s
    const list = (from: number, count: number, scale: number) =>
      Array.from({ length: count }, (_, i) => {
        const bytes = whole(from + i) * scale
        if (bytes >= 2 ** 31)
          throw new Wrong(`argument ${from + i + 1}: ${bytes} bytes for one partner, expected less than 2^31`)
        return bytes
      })
    /** Returns an optional root; the datatype follows it. */
    const root = (i: number) => (args[i] === undefined ? 0 : whole(i))
    switch (call) {
      case "barrier":
        to.collective(Kind.BARRIER, 0)
        return
      case "bcast":
        to.collective(Kind.BCAST, whole(0) * element(2), { peer: root(1) })
        return
      case "reduce":
        to.collective(Kind.REDUCE, whole(0) * element(3), { peer: root(2) })
        return
      case "allreduce":
        to.collective(Kind.ALLREDUCE, whole(0) * element(2))
        return
      case "scan":
      case "exscan":
        to.collective(Kind.SCAN, whole(0) * element(2))
        return
      case "alltoall":
        to.collective(Kind.ALLTOALL, whole(0) * element(2))
        return
      case "allgather":
        to.collective(Kind.ALLGATHER, whole(0) * element(2))
        return
      case "gather":
      case "scatter":
        to.collective(call === "gather" ? Kind.GATHER : Kind.SCATTER, whole(call === "gather" ? 0 : 1) * element(3), {
          peer: root(2),
        })
        return
      case "alltoallv": {
        // Buffer, p counts, buffer, p counts, and optionally two datatypes.
        const p = this.#partners(args.length - 2, 2)
        const values = [...list(1, p, element(2 * p + 2)), ...list(p + 2, p, element(2 * p + 3))]
        to.collective(Kind.ALLTOALLV, 0, { values })
        return
      }
      case "allgatherv": {
        const p = this.#partners(args.length - 1, 1)
        to.collective(Kind.ALLGATHERV, whole(0) * element(p + 1), { values: list(1, p, element(p + 2)) })
        return
      }
      case "reducescatter": {
        const p = this.#partners(args.length - 1, 1)
        to.collective(Kind.REDUCE_SCATTER, 0, { values: list(0, p, element(p + 1)) })
        return
      }
    }
    return `"${call.slice(0, 20)}" is not replayed; expected one of ${words.replaceAll("|", ", ")}`
  }

  /**
   * Returns the number of ranks, as declared before or from the arguments: `times` lists of that length, plus up to two
   * datatypes.
   */
  #partners(given: number, times: number): number {
    const p = this.#size > 0 ? this.#size : Math.floor(given / times)
    if (p < 1 || p * times > given)
      throw new Wrong(`${given} counts, expected ${times} for each of ${Math.max(1, p)} ranks`)
    return p
  }

  finish(): Trace {
    const given = [...this.#ranks.keys()]
    const ranks = Math.max(this.#size, ...given.map((r) => r + 1), 1)
    const missing = Array.from({ length: ranks }, (_, r) => r).filter((r) => !this.#ranks.has(r))
    const total: Record<string, number> = {}
    const list = [...this.#ranks].sort(([a], [b]) => a - b)
    for (const [, r] of list) for (const [call, n] of Object.entries(r.counts)) total[call] = (total[call] ?? 0) + n
    const sources = new Map(list.map(([rank, r]) => [rank, r.to.source()]))
    return {
      format: "simgrid",
      ranks,
      missing,
      summary: { ranks: given.length, total, perRank: list.map(([, r]) => r.counts) },
      program: { ranks, calls: [], rank: (r) => sources.get(r) ?? empty },
      notes:
        missing.length === 0
          ? []
          : [
              complain(
                this.#trace,
                `${missing.length} of ${ranks} ranks are missing: ${few(missing)}; expected lines of each`,
                "add their files; a trace with missing ranks can be looked at, not run",
              ),
            ],
      bad: [],
    }
  }
}

class Wrong extends Error {}
