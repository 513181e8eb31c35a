// What the words of ranks say when a run is over: times of ranks, calls and sizes; and who waits for what when it hangs.
import { ANY, KIND, Kind, kindNames, kindOf, LIST, NEEDS, PEER, type RankSource, REQUEST, TAG, WORDS } from "../program.ts"
import * as C from "./columns.ts"
import type { Job } from "./job.ts"
import { FINE, SHORTEST } from "./timeline.ts"
import { CAME, FROM_RANK, FROM_STEP, SENT } from "./trail.ts"

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
  /** to the last rank that ended, the first step first */
  readonly path: readonly PathStep[]
  /** true: it reaches back to the beginning of a rank */
  readonly wholePath: boolean
  readonly timeline: TimelineReport
}

/** What one rank did on the way to the end: it got a message, or began, and later handed one on, or ended. */
export interface PathStep {
  readonly rank: number
  /** who sent it the message, and when; -1: it began, or who did is no longer known */
  readonly from: number
  readonly sent: number
  readonly came: number
  /** ps at which it handed on what the next step got, or ended */
  readonly until: number
}

/** [group of ranks][piece] -> share of the time that they were held back by others, and that they computed. */
export interface TimelineReport {
  /** ps of a piece */
  readonly length: number
  readonly pieces: number
  /** ranks of a group: those from group * ranks on */
  readonly ranks: number
  readonly heldBack: readonly Float64Array[]
  readonly computing: readonly Float64Array[]
}

function long(words: Int32Array, i: number): number {
  return words[i + 1]! * 0x1_0000_0000 + (words[i]! >>> 0)
}

/** `wordsOf(rank)`: its first RANK_WORDS words. */
export function reportJobs(jobs: readonly Job[], wordsOf: (rank: number) => Int32Array): JobReport[] {
  const all = jobs.map((job) => Array.from({ length: job.ranks }, (_, r) => wordsOf(job.base + r)))
  // one length of pieces for all
  const coarsest = all.flat().reduce((k, w) => Math.max(k, w[C.PIECE]!), 0)
  return jobs.map((job, i): JobReport => {
    const words = all[i]!
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
      ...pathOf(words, ends, job.base),
      timeline: timelineOf(words, coarsest),
    }
  })
}

/** Steps that are shown at most. */
const LONGEST = 1000

/** Backwards from the last rank that ended, as far as the steps are kept. */
function pathOf(words: readonly Int32Array[], ends: Float64Array, base: number): { path: PathStep[]; wholePath: boolean } {
  const path: PathStep[] = []
  const last = ends.reduce((best, t, r) => (t >= 0 && (best < 0 || t > ends[best]!) ? r : best), -1)
  if (last < 0) return { path, wholePath: false }
  let rank = last
  let step = words[last]![C.LAST_STEP]!
  let until = ends[last]!
  while (path.length < LONGEST) {
    const w = words[rank]!
    if (step === 0 || w[C.STEPS]! - step >= C.STEPS_KEPT) {
      path.push({ rank, from: -1, sent: -1, came: step === 0 ? long(w, C.BEGAN) : -1, until })
      return { path: path.reverse(), wholePath: step === 0 }
    }
    const s = C.TRAIL + (step % C.STEPS_KEPT) * C.STEP_WORDS
    const from = w[s + FROM_RANK]! - base
    path.push({ rank, from, sent: long(w, s + SENT), came: long(w, s + CAME), until })
    until = long(w, s + SENT)
    step = w[s + FROM_STEP]!
    rank = from
  }
  return { path: path.reverse(), wholePath: false }
}

/** Ranks are shown one by one up to this many, else in groups. */
const ROWS = 32

function timelineOf(words: readonly Int32Array[], coarsest: number): TimelineReport {
  const ranks = Math.ceil(words.length / ROWS)
  const row = (of: number, group: number): Float64Array => {
    const sum = new Float64Array(C.PIECES)
    const members = words.slice(group * ranks, (group + 1) * ranks)
    for (const w of members) {
      const k = coarsest - w[C.PIECE]!
      for (let i = 0; i < C.PIECES; i++) sum[i >> k]! += w[of + i]! / 2 ** (FINE + k) / members.length
    }
    return sum
  }
  const groups = Array.from({ length: Math.ceil(words.length / ranks) }, (_, g) => g)
  return {
    length: SHORTEST * 2 ** coarsest,
    pieces: C.PIECES,
    ranks,
    heldBack: groups.map((g) => row(C.HELD_BACK, g)),
    computing: groups.map((g) => row(C.BUSY, g)),
  }
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

/** What ranks that have not finished wait for, a sentence for each of the first `most`; `wordsOf(rank)`: its first RANK_WORDS words. */
export function waitingRanks(jobs: readonly Job[], wordsOf: (rank: number) => Int32Array, most: number): string[] {
  const said: string[] = []
  for (const job of jobs)
    for (let r = 0; r < job.ranks && said.length < most; r++) {
      const words = wordsOf(job.base + r)
      if (words[C.FLAGS] !== C.DONE) said.push(`${job.name} rank ${r} ${why(job, r, words)}`)
    }
  return said
}

function why(job: Job, r: number, words: Int32Array): string {
  const source = job.program.rank(r)
  if (words[C.BLOCKER] === 0) return `has issued all, and ${words[C.ACTIVE]} of its operations have not finished`
  // the operation that holds it back was the last to be issued
  const op = words[C.PC]! - 1
  const window = source.at(op)!
  const row = (op - window.first) * WORDS
  const kind = kindOf(window.ops[row + KIND]!)
  const needs = Array.from(window.list.subarray(window.ops[row + LIST]!, window.ops[row + LIST]! + Math.min(3, window.ops[row + NEEDS]!)))
  const started = needs.map((q) => starter(source, op, q < 0 ? ~q : q)).filter((w) => w !== "")
  return `waits in ${kindNames[kind]}${partner(window.ops, row, kind)} (operation ${op})${started.length > 0 ? ` for ${started.join(", ")}` : ""}`
}

function partner(ops: Int32Array, row: number, kind: number): string {
  if (kind !== Kind.SEND && kind !== Kind.RECV && kind !== Kind.PROBE) return ""
  const peer = ops[row + PEER]!
  const tag = ops[row + TAG]!
  return `${kind === Kind.SEND ? " to" : " from"} ${peer === ANY ? "any rank" : `rank ${peer}`}${tag === ANY ? "" : `, tag ${tag}`}`
}

/** The last operation before `op` that started request `q`, in words. */
function starter(source: RankSource, op: number, q: number): string {
  for (let i = op - 1; i >= 0; i--) {
    const window = source.at(i)!
    const row = (i - window.first) * WORDS
    if (window.ops[row + REQUEST] !== q) continue
    const kind = kindOf(window.ops[row + KIND]!)
    return `${kindNames[kind]}${partner(window.ops, row, kind)} (operation ${i})`
  }
  return ""
}
