// Reads communication lists of AICB (Alibaba's AI communication benchmark): every collective of a training run with its
// group and bytes. All ranks have the same list.
import { complain } from "../../../core/complaint.ts"
import { Kind } from "../../program.ts"
import { BadTrace } from "../bytes/bad.ts"
import { lineSink, wholeOf } from "../bytes/lines.ts"
import type { Sink } from "../bytes/sink.ts"
import { few, mostRanks, type ReadOptions, type Trace, type TraceFormat, type TraceReader } from "../trace.ts"
import { fills, type Grouping, SharedStep } from "./groups.ts"

const kinds: Readonly<Record<string, Kind>> = {
  all_reduce: Kind.ALLREDUCE,
  all_gather: Kind.ALLGATHER,
  reduce_scatter: Kind.REDUCE_SCATTER,
  broadcast: Kind.BCAST,
  reduce: Kind.REDUCE,
  barrier: Kind.BARRIER,
  all_to_all: Kind.ALLTOALL,
}
/** Rows that contain no communication. */
const silent = new Set(["epoch_end", "computation"])

export const aicb: TraceFormat = {
  name: "aicb",
  about: "AICB's communication lists (CSV with comm_type, comm_group, msg_size)",
  accepts: (_, __, text) => /^(.*\n)?comm_type,comm_group,/.test(text),
  read: (trace, options) => new AicbReader(trace, options),
}

interface Row {
  readonly type: string
  readonly group: string
  readonly size: string
  readonly bytes: number
  readonly line: number
}

class AicbReader implements TraceReader {
  readonly #trace: string
  readonly #options: ReadOptions
  readonly #header: string[][] = []
  readonly #rows: Row[] = []
  #file = ""
  constructor(trace: string, options: ReadOptions) {
    this.#trace = trace
    this.#options = options
  }
  file(name: string): Sink {
    if (this.#file !== "") throw new BadTrace(name, `a second list, in addition to ${this.#file}`, "name one file")
    this.#file = name
    let columns: readonly string[] | undefined
    return lineSink(
      name,
      (line, number) => {
        if (line.trim() === "") return
        const cells = line.split(",")
        if (columns === undefined) {
          if (cells[0] === "comm_type") columns = cells.map((c) => c.trim())
          else if (this.#header.length < 100) this.#header.push(cells)
          return
        }
        const cell = (name: string) => cells[columns!.indexOf(name)]?.trim() ?? ""
        const bytes = wholeOf(cell("msg_size"))
        if (bytes === undefined || bytes < 0)
          throw new BadTrace(
            `${name}, line ${number}`,
            `msg_size is "${cell("msg_size").slice(0, 20)}", expected bytes`,
            "check the file",
          )
        this.#rows.push({
          type: cell("comm_type").replace("CommType.", ""),
          group: cell("comm_group").replace("CommGroup.", ""),
          size: cell("comm_group_size"),
          bytes,
          line: number,
        })
      },
      () => {
        if (columns === undefined)
          throw new BadTrace(name, "expected a line that begins with comm_type,comm_group", "check the file")
      },
    )
  }

  finish(): Trace {
    const bad: ReturnType<typeof complain>[] = []
    const span = /\[rank(\d{1,9})\s*~\s*rank(\d{1,9})\]/.exec(this.#header.flat().join(","))
    const sizes = new Map(this.#rows.map((r) => [r.group, wholeOf(r.size) ?? 1]))
    const ranks = this.#options.ranks ?? (span !== null ? Number(span[2]) + 1 : Math.max(1, ...sizes.values()))
    const step = new SharedStep()
    const skipped = new Map<string, number>()
    if (ranks > mostRanks)
      bad.push(complain(this.#trace, `${ranks} ranks, expected at most ${mostRanks}`, "check the first line"))
    else
      for (const r of this.#rows) {
        if (silent.has(r.type)) continue
        const kind = kinds[r.type]
        if (kind === undefined) {
          skipped.set(r.type, (skipped.get(r.type) ?? 0) + 1)
          continue
        }
        const group = this.#grouping(r.group, wholeOf(r.size), ranks, sizes)
        if (group === undefined || !fills(ranks, group)) {
          bad.push(
            complain(
              `${this.#file}, line ${r.line}`,
              `a group ${r.group} of ${r.size}, expected one that divides ${ranks} ranks`,
              "check the list",
            ),
          )
          break
        }
        step.collective(kind, kind === Kind.BARRIER ? 0 : r.bytes, group)
      }
    const byOperation: Record<string, { calls: number; msgBytes: number }> = {}
    for (const r of this.#rows) {
      const to = (byOperation[`${r.type} ${r.group} x${r.size}`] ??= { calls: 0, msgBytes: 0 })
      to.calls++
      to.msgBytes += r.bytes
    }
    const notes =
      skipped.size === 0
        ? []
        : [
            complain(
              this.#trace,
              `not replayed: ${few([...skipped].map(([t, n]) => `${n} ${t}`))}`,
              "take the result with that in mind",
            ),
          ]
    return {
      format: "aicb",
      ranks: Math.min(ranks, mostRanks),
      missing: [],
      summary: { header: this.#header, rows: this.#rows.length, byOperation },
      ...(bad.length === 0 ? { program: step.program(ranks) } : {}),
      notes,
      bad,
    }
  }

  /**
   * Returns the ranks of a named group. Tensor-parallel ranks are consecutive, then expert- and data-parallel ranks,
   * then pipeline stages.
   */
  #grouping(
    name: string,
    size: number | undefined,
    ranks: number,
    sizes: ReadonlyMap<string, number>,
  ): Grouping | undefined {
    if (name === "all") return { stride: 1, size: ranks }
    if (size === undefined) return undefined
    const tp = sizes.get("tp_group") ?? 1
    const pp = sizes.get("pp_group") ?? 1
    if (name === "tp_group") return { stride: 1, size }
    if (name === "dp_group" || name === "ep_group") return { stride: tp, size }
    if (name === "ep_dp_group") return { stride: tp * (sizes.get("ep_group") ?? 1), size }
    if (name === "pp_group") return { stride: Math.max(1, Math.floor(ranks / pp)), size }
    return undefined
  }
}
