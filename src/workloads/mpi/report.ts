// What the words of ranks say when a run is over: times of ranks, calls and sizes; and who waits for what when it hangs.
import { LINK, type RankHost, WHAT } from "../../model/workload.ts"
import { ANY, KIND, Kind, kindNames, kindOf, WORDS } from "../program.ts"
import * as C from "./columns.ts"
import type { Job } from "./job.ts"
import type { MpiLayer } from "./layer.ts"

/** Words of one rank, copied: a worker can send them to another. */
export const RANK_WORDS = C.FIXED

export interface CallReport {
  readonly call: string
  /** calls of all ranks; ps that ranks were held back in them: least, mean and most of a rank */
  readonly calls: number
  readonly least: number
  readonly mean: number
  readonly most: number
}

export interface SizeReport {
  /** messages of more than half of this, up to it */
  readonly bytes: number
  readonly messages: number
  /** ps from the sender's interface to all of it at the receiver */
  readonly mean: number
  readonly most: number
}

export interface JobReport {
  readonly name: string
  readonly ranks: number
  readonly finished: number
  /** ps: of the first rank that began, of the last that ended */
  readonly began: number
  readonly ended: number
  /** ps of each rank from its beginning to its end less its computing; of ranks that have ended */
  readonly communication: Float64Array
  readonly computing: Float64Array
  /** [rank] -> ps at which it ended; -1 if it has not */
  readonly ends: Float64Array
  readonly calls: readonly CallReport[]
  readonly sizes: readonly SizeReport[]
}

function long(words: Int32Array, i: number): number {
  return words[i + 1]! * 0x1_0000_0000 + (words[i]! >>> 0)
}

/** `wordsOf(rank)`: its first RANK_WORDS words. */
export function reportJobs(jobs: readonly Job[], wordsOf: (rank: number) => Int32Array): JobReport[] {
  return jobs.map((job) => {
    const words = Array.from({ length: job.ranks }, (_, r) => wordsOf(job.base + r))
    const done = words.map((w) => w[C.FLAGS] === C.DONE)
    const ends = Float64Array.from(words, (w, r) => (done[r] ? long(w, C.ENDED) : -1))
    const computing = Float64Array.from(words, (w) => long(w, C.COMPUTED))
    return {
      name: job.name,
      ranks: job.ranks,
      finished: done.filter(Boolean).length,
      began: words.reduce((t, w) => Math.min(t, long(w, C.BEGAN)), Number.POSITIVE_INFINITY),
      ended: ends.reduce((a, b) => Math.max(a, b), -1),
      communication: Float64Array.from(words, (w, r) => (done[r] ? ends[r]! - long(w, C.BEGAN) - computing[r]! : -1)),
      computing,
      ends,
      calls: callsOf(words),
      sizes: sizesOf(words),
    }
  })
}

function callsOf(words: readonly Int32Array[]): CallReport[] {
  return kindNames.flatMap((call, kind) => {
    const at = C.CALLS + C.CALL_WORDS * kind
    const calls = words.reduce((n, w) => n + w[at]!, 0)
    if (calls === 0) return []
    const times = words.map((w) => long(w, at + 1))
    return [
      {
        call,
        calls,
        least: times.reduce((a, b) => Math.min(a, b)),
        mean: times.reduce((a, b) => a + b, 0) / times.length,
        most: times.reduce((a, b) => Math.max(a, b)),
      },
    ]
  })
}

function sizesOf(words: readonly Int32Array[]): SizeReport[] {
  return Array.from({ length: C.SIZE_CLASSES }, (_, k) => k).flatMap((k) => {
    const at = C.SIZES + C.SIZE_WORDS * k
    const messages = words.reduce((n, w) => n + w[at]!, 0)
    if (messages === 0) return []
    const sum = words.reduce((n, w) => n + long(w, at + 1), 0)
    return [{ bytes: 2 ** k, messages, mean: sum / messages, most: words.reduce((n, w) => Math.max(n, long(w, at + 3)), 0) }]
  })
}

/** What a rank that has not finished waits for, one sentence each, at most `most` ranks. */
export function waitingRanks(
  layer: MpiLayer,
  host: Pick<RankHost, "mem" | "own">,
  mine: (rank: number) => boolean,
  most: number,
): string[] {
  const said: string[] = []
  const at = layer.columns()
  for (const job of layer.jobs)
    for (let r = 0; r < job.ranks && said.length < most; r++) {
      const rank = job.base + r
      if (mine(rank) && host.mem[at.at[rank]! + C.FLAGS] !== C.DONE) said.push(`${job.name} rank ${r} ${why(job, rank, at, host)}`)
    }
  return said
}

function why(job: Job, rank: number, at: C.RankColumns, { mem, own }: Pick<RankHost, "mem" | "own">): string {
  const r = at.at[rank]!
  const blocker = mem[r + C.BLOCKER]!
  const op = blocker === 0 ? -1 : mem[blocker + own + C.OP]!
  const window = op < 0 ? undefined : job.program.rank(rank - job.base).at(op)
  const kind = window === undefined ? Kind.WAIT : kindOf(window.ops[(op - window.first) * WORDS + KIND]!)
  const what = op < 0 ? `has issued all, ${mem[r + C.ACTIVE]} operations are not finished` : `waits in ${kindNames[kind]} (operation ${op})`
  const open: string[] = []
  for (let e = mem[r + C.POSTED]!; e !== 0 && open.length < 3; e = mem[e + LINK]!) {
    const peer = mem[e + own + C.PEER]!
    const tag = mem[e + own + C.TAG]!
    const from = peer === ANY ? "any rank" : `rank ${peer - job.base}`
    const inside = mem[e + own + C.PARENT] !== 0
    if ((mem[e + own + WHAT]! & C.ROLE) === C.RECEIVES) open.push(`${from}${inside || tag === ANY ? "" : `, tag ${tag}`}`)
  }
  const early = mem[r + C.EARLY] === 0 ? "" : "; messages that nobody asked for are there"
  return `${what}${open.length > 0 ? ` for a message of ${open.join("; ")}` : ""}${early}`
}
