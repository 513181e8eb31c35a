// Computes the report of the jobs from the words of their ranks after a run: times of ranks, calls and message sizes,
// the timeline and the critical path. `waitingRanks` explains a run that makes no progress: the operation in which each
// rank waits.
import {
  ANY,
  KIND,
  Kind,
  kindNames,
  kindOf,
  LIST,
  NEEDS,
  PEER,
  type RankSource,
  REQUEST,
  TAG,
  WORDS,
} from "../program.ts"
import * as C from "./columns.ts"
import { CAME, FROM_RANK, FROM_STEP, SENT } from "./critical-path.ts"
import type { Job } from "./job.ts"
import { type OperationReport, operationsOf } from "./operations.ts"
import { FINE, SHORTEST } from "./timeline.ts"

/** Number of words of one rank that a worker copies for the report. */
export const RANK_WORDS = C.FIXED

export interface CallReport {
  readonly call: string
  /**
   * Calls of all ranks; then the time in ps that a rank was blocked in them: minimum, mean and maximum over the ranks.
   */
  readonly calls: number
  readonly least: number
  readonly mean: number
  readonly most: number
}

/** One flow of a program that lists its flows; times in ps, -1: not yet. */
export interface FlowReport {
  readonly from: number
  readonly to: number
  readonly bytes: number
  /** Time at which the sender issued it, and at which the receiver had all of it. */
  readonly start: number
  readonly finish: number
}

export interface SizeReport {
  /** Upper bound of the size class: messages of more than half of this, up to this. */
  readonly bytes: number
  readonly messages: number
  /** Time in ps from the sender's network interface to the last byte at the receiver. */
  readonly mean: number
  readonly most: number
}

export interface JobReport {
  readonly name: string
  readonly ranks: number
  readonly finished: number
  /** Time in ps at which the first rank began, and at which the last one ended. */
  readonly began: number
  readonly ended: number
  /** [rank] -> ps from its start to its end without computing; -1 if it has not ended. */
  readonly communication: Float64Array
  readonly computing: Float64Array
  /** [rank] -> ps at which it ended; -1 if it has not. */
  readonly ends: Float64Array
  readonly calls: readonly CallReport[]
  readonly sizes: readonly SizeReport[]
  readonly flows: readonly FlowReport[]
  /** Critical path to the end of the last rank, in order of time. */
  readonly path: readonly PathStep[]
  /** true: the path reaches back to the start of a rank. */
  readonly wholePath: boolean
  readonly timeline: TimelineReport
  /** stored operations of all ranks, and the number of those that did not fit */
  readonly operations: readonly OperationReport[]
  readonly lost: number
}

/** One rank on the critical path: it received a message, or began, and later sent the next message, or ended. */
export interface PathStep {
  readonly rank: number
  /** The sender and the time of sending; -1: the rank began, or the ring no longer contains the step. */
  readonly from: number
  readonly sent: number
  readonly came: number
  /** Time in ps at which it sent the message of the next step, or ended. */
  readonly until: number
}

/** [group of ranks][interval] -> fraction of the time in which they were blocked, and in which they computed. */
export interface TimelineReport {
  /** Length of an interval in ps. */
  readonly length: number
  readonly pieces: number
  /** Ranks in a group: group g has those from g * ranks on. */
  readonly ranks: number
  readonly heldBack: readonly Float64Array[]
  readonly computing: readonly Float64Array[]
}

function long(words: Int32Array, i: number): number {
  return words[i + 1] * 0x1_0000_0000 + (words[i] >>> 0)
}

/**
 * Returns the report of each job. `wordsOf(rank)` returns the words of a rank that its layer copies (`summary`).
 * `rows`: operations that the layer stores for each rank.
 */
export function reportJobs(jobs: readonly Job[], wordsOf: (rank: number) => Int32Array, rows = 0): JobReport[] {
  const all = jobs.map((job) => Array.from({ length: job.ranks }, (_, r) => wordsOf(job.base + r)))
  // Ranks may have intervals of different length; all are shown with the longest.
  const coarsest = all.flat().reduce((k, w) => Math.max(k, w[C.PIECE]), 0)
  return jobs.map((job, i): JobReport => {
    const words = all[i]
    const done = words.map((w) => w[C.FLAGS] === C.DONE)
    const ends = Float64Array.from(words, (w, r) => (done[r] ? long(w, C.ENDED) : -1))
    const computing = Float64Array.from(words, (w) => long(w, C.COMPUTED))
    const stored = rows === 0 ? [] : words.map((w, r) => operationsOf(job, r, w, rows))
    return {
      name: job.name,
      ranks: job.ranks,
      finished: done.filter(Boolean).length,
      began: words.reduce((t, w) => Math.min(t, long(w, C.BEGAN)), Number.POSITIVE_INFINITY),
      ended: ends.reduce((a, b) => Math.max(a, b), -1),
      communication: Float64Array.from(words, (w, r) => (done[r] ? ends[r] - long(w, C.BEGAN) - computing[r] : -1)),
      computing,
      ends,
      calls: callsOf(words),
      sizes: sizesOf(words),
      flows: flowsOf(job, words),
      ...pathOf(words, ends, job.base),
      timeline: timelineOf(words, coarsest),
      operations: stored.flatMap((s) => s.list),
      lost: stored.reduce((n, s) => n + s.lost, 0),
    }
  })
}

/** Maximum number of steps shown. */
const LONGEST = 1000

/** Follows the causes backwards from the last rank that ended, as far as the rings contain them. */
function pathOf(
  words: readonly Int32Array[],
  ends: Float64Array,
  base: number,
): { path: PathStep[]; wholePath: boolean } {
  const path: PathStep[] = []
  const last = ends.reduce((best, t, r) => (t >= 0 && (best < 0 || t > ends[best]) ? r : best), -1)
  if (last < 0) return { path, wholePath: false }
  let rank = last
  let step = words[last][C.LAST_STEP]
  let until = ends[last]
  while (path.length < LONGEST) {
    const w = words[rank]
    // Either the start of the rank is reached, or the ring has overwritten this step.
    if (step === 0 || w[C.STEPS] - step >= C.STEPS_KEPT) {
      path.push({ rank, from: -1, sent: -1, came: step === 0 ? long(w, C.BEGAN) : -1, until })
      return { path: path.reverse(), wholePath: step === 0 }
    }
    const s = C.CRITICAL_PATH + (step % C.STEPS_KEPT) * C.STEP_WORDS
    const from = w[s + FROM_RANK] - base
    path.push({ rank, from, sent: long(w, s + SENT), came: long(w, s + CAME), until })
    until = long(w, s + SENT)
    step = w[s + FROM_STEP]
    rank = from
  }
  return { path: path.reverse(), wholePath: false }
}

/** Up to this many ranks are shown one by one, more in groups. */
const ROWS = 32

function timelineOf(words: readonly Int32Array[], coarsest: number): TimelineReport {
  const ranks = Math.ceil(words.length / ROWS)
  const row = (of: number, group: number): Float64Array => {
    const sum = new Float64Array(C.PIECES)
    const members = words.slice(group * ranks, (group + 1) * ranks)
    for (const w of members) {
      // Merge 2^k intervals of this rank into one of the common length.
      const k = coarsest - w[C.PIECE]
      for (let i = 0; i < C.PIECES; i++) sum[i >> k] += w[of + i] / 2 ** (FINE + k) / members.length
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
    const calls = words.reduce((n, w) => n + w[at], 0)
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
    const messages = words.reduce((n, w) => n + w[at], 0)
    if (messages === 0) return []
    const sum = words.reduce((n, w) => n + long(w, at + 1), 0)
    return [
      { bytes: 2 ** k, messages, mean: sum / messages, most: words.reduce((n, w) => Math.max(n, long(w, at + 3)), 0) },
    ]
  })
}

function flowsOf({ program }: Job, words: readonly Int32Array[]): FlowReport[] {
  const time = (rank: number, request: number) => {
    const at = C.FIXED + 2 * request
    return at < words[rank].length ? long(words[rank], at) - 1 : -1
  }
  return (program.flows ?? []).map(({ from, to, bytes, send, receive }) => ({
    ...{ from, to, bytes },
    start: time(from, send),
    finish: time(to, receive),
  }))
}

/**
 * Returns a sentence for each of the first `most` ranks that have not finished: the operation in which it waits.
 * `wordsOf(rank)` returns the first RANK_WORDS words of a rank.
 */
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
  // The blocking operation was issued last, so it is the one before PC.
  const op = words[C.PC] - 1
  const window = source.at(op)!
  const row = (op - window.first) * WORDS
  const kind = kindOf(window.ops[row + KIND])
  const needs = Array.from(
    window.list.subarray(window.ops[row + LIST], window.ops[row + LIST] + Math.min(3, window.ops[row + NEEDS])),
  )
  const started = needs.map((q) => starter(source, op, q < 0 ? ~q : q)).filter((w) => w !== "")
  return (
    `waits in ${kindNames[kind]}${partner(window.ops, row, kind)} (operation ` +
    `${op})${started.length > 0 ? ` for ${started.join(", ")}` : ""}`
  )
}

function partner(ops: Int32Array, row: number, kind: number): string {
  if (kind !== Kind.SEND && kind !== Kind.RECV && kind !== Kind.PROBE) return ""
  const peer = ops[row + PEER]
  const tag = ops[row + TAG]
  return (
    `${kind === Kind.SEND ? " to" : " from"} ` +
    `${peer === ANY ? "any rank" : `rank ${peer}`}${tag === ANY ? "" : `, tag ${tag}`}`
  )
}

/** Describes the last operation before `op` that started request `q`. */
function starter(source: RankSource, op: number, q: number): string {
  for (let i = op - 1; i >= 0; i--) {
    const window = source.at(i)!
    const row = (i - window.first) * WORDS
    if (window.ops[row + REQUEST] !== q) continue
    const kind = kindOf(window.ops[row + KIND])
    return `${kindNames[kind]}${partner(window.ops, row, kind)} (operation ${i})`
  }
  return ""
}
