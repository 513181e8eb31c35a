// Reads layer lists of SimAI (X. Wang et al., "SimAI: Unifying Architecture Design and Performance Tuning for
// Large-Scale LLM Training", NSDI 2025). Each layer has the times of its three computations and the collectives after
// them. The program is one training step: the forward pass through all layers, then the backward pass.
import { complain } from "../../../core/complaint.ts"
import { Kind } from "../../program.ts"
import { BadTrace } from "../bytes/bad.ts"
import { lineSink, wholeOf } from "../bytes/lines.ts"
import type { Sink } from "../bytes/sink.ts"
import { mostRanks, type ReadOptions, type Trace, type TraceFormat, type TraceReader } from "../trace.ts"
import { fills, type Grouping, SharedStep } from "./groups.ts"

const kinds: Readonly<Record<string, Kind>> = {
  ALLREDUCE: Kind.ALLREDUCE,
  ALLGATHER: Kind.ALLGATHER,
  REDUCESCATTER: Kind.REDUCE_SCATTER,
  ALLTOALL: Kind.ALLTOALL,
  BROADCAST: Kind.BCAST,
}
const passes = ["forward", "inputGradient", "weightGradient"] as const
const mostLayers = 10 ** 6

export const simai: TraceFormat = {
  name: "simai",
  about: "SimAI's layer lists: compute times (ns) and collectives of each layer",
  accepts: (_, __, text) => /^[A-Z][A-Z_]+[ \t]+model_parallel_NPU_group:/.test(text),
  read: (trace, options) => new SimaiReader(trace, options),
}

interface Part {
  readonly nanoseconds: number
  readonly collective: string
  readonly bytes: number
}

class SimaiReader implements TraceReader {
  readonly #trace: string
  readonly #options: ReadOptions
  #head: Record<string, number> = {}
  #parallelism = ""
  readonly #layers: { readonly parts: readonly Part[]; readonly update: number }[] = []
  #said: number | undefined
  #file = ""
  constructor(trace: string, options: ReadOptions) {
    this.#trace = trace
    this.#options = options
  }
  file(name: string): Sink {
    if (this.#file !== "") throw new BadTrace(name, `a second list, in addition to ${this.#file}`, "name one file")
    this.#file = name
    return lineSink(
      name,
      (line, number) => {
        const words = line.trim().split(/\s+/)
        if (words[0] === "") return
        const wrong = (says: string): BadTrace => new BadTrace(`${name}, line ${number}`, says, "check the file")
        if (this.#parallelism === "") {
          this.#parallelism = words[0]
          this.#head = Object.fromEntries([...line.matchAll(/(\w+):?\s+(\d{1,12})/g)].map((m) => [m[1], Number(m[2])]))
        } else if (this.#said === undefined) {
          this.#said = wholeOf(words[0])
          if (this.#said === undefined || this.#said < 0 || this.#said > mostLayers)
            throw wrong(`expected the number of layers, found "${line.slice(0, 40)}"`)
        } else {
          if (words.length < 12) throw wrong(`${words.length} columns, expected 12`)
          const at = (i: number) => {
            const n = wholeOf(words[i])
            if (n === undefined || n < 0)
              throw wrong(`column ${i + 1} is "${words[i].slice(0, 20)}", expected a number from 0`)
            return n
          }
          const parts = passes.map(
            (_, i): Part => ({ nanoseconds: at(2 + 3 * i), collective: words[3 + 3 * i], bytes: at(4 + 3 * i) }),
          )
          for (const p of parts) if (p.nanoseconds > 9e12) throw wrong(`${p.nanoseconds} ns, expected at most 9e12`)
          for (const p of parts)
            if (this.#kind(p.collective) === undefined)
              throw wrong(
                `"${p.collective.slice(0, 30)}", expected NONE or one of ` +
                  `${Object.keys(kinds).join(", ")}, with _EP or _DP_EP`,
              )
          this.#layers.push({ parts, update: at(11) })
        }
      },
      () => {
        if (this.#layers.length !== this.#said)
          throw new BadTrace(
            name,
            `${this.#layers.length} layers, expected ${this.#said ?? "their number"} as line 2 says`,
            "the file is cut off: get it again",
          )
      },
    )
  }
  #kind(collective: string): Kind | "none" | undefined {
    return collective === "NONE" ? "none" : kinds[collective.replace(/_(DP_)?EP$/, "")]
  }

  finish(): Trace {
    const head = this.#head
    const tp = Math.max(1, head["model_parallel_NPU_group"] ?? 1)
    const ep = Math.max(1, head["ep"] ?? 1)
    const pp = Math.max(1, head["pp"] ?? 1)
    const ranks = this.#options.ranks ?? head["all_gpus"] ?? tp * ep * pp
    const groups: Record<string, Grouping> = {
      tp: { stride: 1, size: tp },
      dp: { stride: tp, size: Math.floor(ranks / (tp * pp)) },
      EP: { stride: tp, size: ep },
      DP_EP: { stride: tp * ep, size: Math.floor(ranks / (tp * ep * pp)) },
    }
    const bad = []
    if (ranks > mostRanks)
      bad.push(complain(this.#trace, `${ranks} ranks, expected at most ${mostRanks}`, "check the first line"))
    const wrong = Object.entries(groups).find(([, g]) => !fills(ranks, g))
    if (wrong !== undefined)
      bad.push(
        complain(
          this.#trace,
          `${ranks} ranks do not divide into groups of ${tp} (tensor) x ${ep} (expert) x ${pp} (pipeline)`,
          `give a multiple of ${tp * ep * pp} with --ranks`,
        ),
      )
    const collectives: Record<string, { calls: number; bytes: number }> = {}
    const step = new SharedStep()
    const play = (p: Part, pass: (typeof passes)[number]): void => {
      step.compute(p.nanoseconds * 1000)
      const kind = this.#kind(p.collective)
      if (kind === undefined || kind === "none") return
      const group = /_(DP_EP|EP)$/.exec(p.collective)?.[1] ?? (pass === "weightGradient" ? "dp" : "tp")
      const to = (collectives[`${pass} ${p.collective} ${group}`] ??= { calls: 0, bytes: 0 })
      to.calls++
      to.bytes += p.bytes
      if (bad.length === 0) step.collective(kind, p.bytes, groups[group])
    }
    for (const l of this.#layers) play(l.parts[0], "forward")
    for (const l of this.#layers.toReversed()) {
      play(l.parts[1], "inputGradient")
      play(l.parts[2], "weightGradient")
      step.compute(l.update * 1000)
    }
    const notes = []
    if ((head["pp_comm"] ?? 0) > 0)
      notes.push(
        complain(
          this.#trace,
          "transfers between pipeline stages (pp_comm) are not in the list of layers, and not replayed",
          "take the result with that in mind",
        ),
      )
    return {
      format: "simai",
      ranks: Math.min(ranks, mostRanks),
      missing: [],
      summary: { parallelism: this.#parallelism, ...head, ranks, layers: this.#layers.length, collectives },
      ...(bad.length === 0 ? { program: step.program(ranks) } : {}),
      notes,
      bad,
    }
  }
}
