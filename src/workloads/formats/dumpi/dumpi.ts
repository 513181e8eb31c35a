// DUMPI traces (sst-dumpi, Sandia National Laboratories): a text file .meta, and a binary file for each rank that
// contains every MPI call with its arguments and times.
//
// Layout of a binary file. All numbers are big-endian.
//
//   `Head`: FF AA DD 44 55 4D 50 49, then two 32-bit biases of the CPU and wall clocks, in seconds.
//   `Records`: call number (16 bits), mask (8 bits), times, fields of the call. The order of the fields is in calls.ts.
//   `Tail` (tail.ts): header, counts of calls, sizes of datatypes. The last 64-bit words, read backwards, are the
//   positions of the sections.
//
// Bits of the mask are 0 and 1 for statuses, 2 for CPU time, 3 for wall time, 6 for the thread and 7 for performance
// counters. A time is a pair of seconds (16 bits) and nanoseconds (32 bits), at the start and at the end of the call.
// `recordsSha256` of `lacewing trace check --json` covers the values in the order of calls.ts.
import { complain } from "../../../core/complaint.ts"
import { resolve } from "../../check/communicators.ts"
import { trafficOf } from "../../check/traffic.ts"
import { inMemory, type Program } from "../../program.ts"
import { BadTrace, Complaints } from "../bytes/bad.ts"
import { lineSink, wholeOf } from "../bytes/lines.ts"
import type { Sink } from "../bytes/sink.ts"
import { baseName, few, mostRanks, type ReadOptions, type Trace, type TraceFormat, type TraceReader } from "../trace.ts"
import { callNames } from "./calls.ts"
import { definitions } from "./definitions.ts"
import { isDumpi } from "./file.ts"
import { DumpiRank, sorted } from "./rank.ts"

const empty = inMemory(new Int32Array(0), 0, new Int32Array(0))
const mpiNames = callNames.map((n) => `MPI_${n}`)

export const dumpi: TraceFormat = {
  name: "dumpi",
  about: "sst-dumpi 1.0 and later: FILE.meta and a .bin file for each rank",
  accepts: (name, head, text) =>
    isDumpi(head) || name.endsWith(".bin") || (name.endsWith(".meta") && /^\s*(hostname|numprocs)=/m.test(text)),
  read: (trace, options) => new DumpiReader(trace, options),
}

class DumpiReader implements TraceReader {
  readonly #trace: string
  readonly #options: ReadOptions
  #ranks: DumpiRank[] = []
  #meta: Record<string, string> | undefined
  #metaFile = ""
  /** Sizes of datatypes by file, after the file was read to its end. */
  readonly #tables = new Map<string, readonly number[]>()
  #looked = false

  constructor(trace: string, options: ReadOptions) {
    this.#trace = trace
    this.#options = options
  }

  file(name: string): Sink {
    if (name.endsWith(".meta")) return this.#metaSink(name)
    const rank = new DumpiRank(name, this.#options.digests === true, this.#tables.get(name))
    this.#ranks.push(rank)
    return rank
  }

  #metaSink(name: string): Sink {
    const meta: Record<string, string> = {}
    if (this.#meta !== undefined && this.#metaFile !== name)
      throw new BadTrace(
        name,
        `a second .meta file, in addition to ${this.#metaFile}`,
        "name the .meta file of one trace, or put each trace into a separate folder",
      )
    this.#metaFile = name
    this.#meta = meta
    return lineSink(name, (line, number) => {
      const at = line.indexOf("=")
      if (at > 0)
        Object.defineProperty(meta, line.slice(0, at), {
          value: line.slice(at + 1),
          enumerable: true,
          configurable: true,
        })
      const ranks = wholeOf(meta["numprocs"])
      if (line.startsWith("numprocs=") && !(ranks !== undefined && ranks >= 1 && ranks <= mostRanks))
        throw new BadTrace(
          `${name}, line ${number}`,
          `numprocs is "${line.slice(at + 1, at + 30)}", expected a number of ranks from 1 to ${mostRanks}`,
          "correct the .meta file",
        )
    })
  }

  finish(): Trace | "again" {
    if (!this.#looked && this.#ranks.some((r) => !r.agrees)) {
      this.#looked = true
      for (const r of this.#ranks) if (r.file.tail !== undefined) this.#tables.set(r.name, r.file.tail.datatypeSizes)
      this.#ranks = []
      return "again"
    }
    const bad = new Complaints()
    const notes = new Complaints()
    const byRank = new Map<number, DumpiRank>()
    for (const r of this.#ranks) {
      const rank = r.rank ?? 0
      const other = byRank.get(rank)
      if (other !== undefined)
        bad.add(r.name, `a second file of rank ${rank}, in addition to ${other.name}`, "leave one of them out")
      else byRank.set(rank, r)
      const wrong = r.miscounted()
      if (wrong !== undefined) bad.add(r.name, wrong, "the file is damaged: get it again")
    }
    const worlds = this.#ranks.flatMap((r) => r.stats.worldSize ?? [])
    const said = wholeOf(this.#meta?.["numprocs"]) ?? worlds[0]
    const ranks = Math.min(mostRanks, Math.max(said ?? 0, ...[...byRank.keys()].map((r) => r + 1), 1))
    if (said !== undefined && ranks > said)
      bad.add(
        this.#trace,
        `a file of rank ${ranks - 1}, expected ranks below ${said}`,
        "leave files of other traces out",
      )
    for (const r of this.#ranks.filter(
      (r) => r.stats.worldSize !== undefined && said !== undefined && r.stats.worldSize !== said,
    ))
      bad.add(
        r.name,
        `MPI_COMM_WORLD has ${r.stats.worldSize} ranks, expected ${said}`,
        "leave files of other traces out",
      )
    const missing: number[] = []
    for (let r = 0; r < ranks; r++) if (byRank.get(r)?.done !== true) missing.push(r)
    this.#note(notes, missing, ranks)
    const program: Program = { ranks, calls: mpiNames, rank: (r) => byRank.get(r)?.source ?? empty }
    const summary = this.#summary(byRank, ranks, program)
    return {
      format: "dumpi",
      ranks,
      missing,
      summary,
      program,
      notes: notes.told(this.#trace),
      bad: bad.told(this.#trace),
    }
  }

  #note(notes: Complaints, missing: readonly number[], ranks: number): void {
    if (missing.length > 0)
      notes.add(
        this.#trace,
        `${missing.length} of ${ranks} ranks are missing: ${few(missing)}; expected a file for each`,
        "add the files; a trace with missing ranks can be looked at, not run",
      )
    const cut = this.#ranks.flatMap((r) => (r.done && !r.replay.finalized ? [r.rank ?? 0] : [])).sort((a, b) => a - b)
    if (cut.length > 0)
      notes.add(
        this.#trace,
        `no MPI_Finalize in ${cut.length} ranks: ${few(cut)}; the recorded part ends before the program did`,
        "record the whole run, or take what there is",
      )
    const oneSided = this.#ranks.reduce((sum, r) => sum + r.replay.oneSided, 0)
    if (oneSided > 0)
      notes.add(
        this.#trace,
        `${oneSided} one-sided calls (Put, Get, Accumulate) are not replayed`,
        "take the result with that in mind",
      )
    if (this.#ranks.length > 0 && this.#meta === undefined && missing.length === 0 && ranks > 1)
      notes.take(complain(this.#trace, "there is no .meta file: the number of ranks is taken from the calls", "add it"))
  }

  #summary(byRank: ReadonlyMap<number, DumpiRank>, ranks: number, program: Program): Record<string, unknown> {
    const { flows } = trafficOf(program, resolve(program))
    const list = [...byRank].sort(([a], [b]) => a - b)
    if (this.#meta === undefined && list.length === 1) {
      const [rank, only] = list[0]
      return { definitions, ...only.summary(flows[rank] ?? [], true) }
    }
    const first = list[0]?.[1].file.tail?.datatypeSizes
    const perRank: Record<string, unknown>[] = list.map(([rank, r], i) => {
      const types = r.file.tail?.datatypeSizes
      // The table of the first rank is printed once for all ranks with the same table.
      const own = i === 0 || (types !== undefined && types.join() !== first?.join())
      return { rank, ...r.summary(flows[rank] ?? [], own) }
    })
    const sent = flows.flat()
    const totals = {
      ranks,
      records: list.reduce((sum, [, r]) => sum + r.file.calls, 0),
      recorded: added(perRank, "recorded"),
      footerCalled: added(perRank, "footerCalled"),
      footerIgnored: added(perRank, "footerIgnored"),
      sends: addedBytes(perRank, "sends", "bytes"),
      receivesPosted: addedBytes(perRank, "receivesPosted", "bytes"),
      collectives: addedBytes(perRank, "collectives", "localSendBytes"),
      pointToPointPairs: sent.length,
      pointToPointMessages: sent.reduce((sum, f) => sum + f.messages, 0),
      pointToPointBytes: sent.reduce((sum, f) => sum + f.bytes, 0),
    }
    const trace = baseName(this.#trace)
      .replace(/\.(tgz|tar|tar\.gz|meta)$/, "")
      .replace(/[._-]dumpi$/, "")
    return { trace, meta: this.#meta ?? {}, definitions, totals, perRank }
  }
}

function added(rows: readonly Record<string, unknown>[], key: string): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const row of rows)
    for (const [name, n] of Object.entries(row[key] as Record<string, number>)) sum[name] = (sum[name] ?? 0) + n
  return sorted(sum)
}

function addedBytes(
  rows: readonly Record<string, unknown>[],
  key: string,
  bytes: string,
): Record<string, Record<string, number>> {
  const sum: Record<string, Record<string, number>> = {}
  for (const row of rows)
    for (const [name, one] of Object.entries(row[key] as Record<string, Record<string, number>>)) {
      const to = (sum[name] ??= { calls: 0, [bytes]: 0 })
      to["calls"] += one["calls"]
      to[bytes] += one[bytes]
    }
  return sum
}
