// `lacewing bench codes`: speed on one core compared with CODES' sequential engine, in chunk-hops per CPU second of the
// run loop. Start-up is left out on both sides, and each run has a separate process.
//
// Runs at load 0.1 are measured over 400 us instead of 40, so that start-up does not dominate; CODES is measured in the
// same way where its program is given. Runs of CODES' length take lacewing half a second, and a third of that passes
// before V8 has compiled the hot code. Networks of one rail are therefore also run over 400 us, and that rate is
// compared with the rate of CODES in its own length, because CODES has no such phase.
import { arch, availableParallelism, cpus } from "node:os"
import { type CodesRun, codesEntries } from "../codes/experiments.ts"
import { type CodesAnswer, runCodesPeer } from "../codes/program.ts"
import { runOrder, type TimedResult } from "../codes/runs.ts"
import { PeerFailed } from "../program.ts"
import { readRecorded } from "../recorded.ts"

/** where the recorded figures of CODES and ROSS come from */
export const codesMachine = "figures recorded on two shared arm64 cores (Neoverse N1 class), gcc 12.2 -O3"

export function thisMachine(): string {
  return (
    `${availableParallelism()} cores of ` +
    `${cpus()[0]?.model.trim() ?? "unknown"} (${arch()}), Node ` +
    `${process.version}`
  )
}

export interface CodesBenchRow {
  readonly name: string
  /** a network of about 3,000 endpoints at one of three loads: the rows that are summed up by themselves */
  readonly goal: boolean
  readonly work: string
  readonly cpuSeconds: number
  /** chunk-hops per CPU second, ours and CODES' */
  readonly rate: number
  readonly peerRate: number
  readonly ratio: number
  /** ours over 400 us, against CODES' rate in its own time; absent: several rails */
  readonly long?: LongRun
  readonly peer: "measured" | "recorded"
  /** measured: chunks that it delivered in its own time, and those that are recorded */
  readonly peerChunks?: { readonly here: number; readonly recorded: number }
  /** MiB of the process, ours and CODES' as recorded: nearly all of that is what it reserves */
  readonly memory: number
  readonly peerMemory: number
}

export interface LongRun {
  readonly cpuSeconds: number
  readonly rate: number
  readonly ratio: number
}

/** ns of a run that is not mostly its beginning */
const LONG = 400_000

export interface CodesBenchOptions {
  /** the folder src of a build of CODES; without it its recorded figures are compared with */
  readonly codes?: string | undefined
  readonly match?: RegExp
  /** the best of this many runs counts, for lacewing and for CODES */
  readonly tries?: number
  onRow?(row: CodesBenchRow): void
}

interface Recorded {
  readonly id: string
  readonly goal: boolean
  readonly rate: number
  readonly memory: number
}

/** Returns the recorded speed of CODES (codes/speed.tsv). */
export function recordedCodesSpeed(): Recorded[] {
  return readRecorded("codes/speed.tsv", ["id", "goal", "rate", "memory"]).map((row) => ({
    id: row.id,
    goal: row.goal === "1",
    rate: Number(row.rate),
    memory: Number(row.memory),
  }))
}

export async function benchCodes(o: CodesBenchOptions = {}): Promise<CodesBenchRow[]> {
  const runs = new Map(codesEntries().map((e) => [e.id, e]))
  const rows: CodesBenchRow[] = []
  for (const { id, goal, rate: recorded, memory: peerMemory } of recordedCodesSpeed()) {
    if (o.match !== undefined && !o.match.test(id)) continue
    const run = runs.get(id)!
    const end = run.load / run.rails <= 0.1 ? 10 * run.end : run.end
    const peer = o.codes === undefined ? undefined : codesPeer(o.codes, run, end)
    const lasts = run.rails > 1 ? undefined : Math.max(LONG, end)
    let best: TimedResult | undefined
    let longest: TimedResult | undefined
    for (let i = 0; i < (o.tries ?? 1); i++) {
      peer?.once()
      best = quicker(best, await ours(run, end))
      if (lasts !== undefined && lasts !== end) longest = quicker(longest, await ours(run, lasts))
    }
    const rate = rateOf(best!)
    const measured = peer?.result()
    const peerRate = measured?.rate ?? recorded
    const row: CodesBenchRow = {
      name: id,
      goal,
      work: `${run.network.slice(2)} endpoints, ${end / 1000} us, ${best!.chunks} chunks`,
      cpuSeconds: best!.cpu,
      rate,
      peerRate,
      ratio: rate / peerRate,
      ...(lasts === undefined ? {} : { long: longRun(longest ?? best!, peerRate) }),
      peer: measured === undefined ? "recorded" : "measured",
      ...(measured === undefined ? {} : { peerChunks: { here: measured.chunks, recorded: run.chunks } }),
      memory: Math.round(Math.max(best!.rss, longest?.rss ?? 0)),
      peerMemory,
    }
    rows.push(row)
    o.onRow?.(row)
  }
  return rows
}

async function ours(run: CodesRun, end: number): Promise<TimedResult> {
  const [got] = await runOrder({ run, seeds: [1], end })
  return got!
}

function quicker(a: TimedResult | undefined, b: TimedResult): TimedResult {
  return a === undefined || b.cpu < a.cpu ? b : a
}

/** chunk-hops per CPU second */
function rateOf(r: TimedResult): number {
  return (r.chunks * r.hops) / r.cpu
}

function longRun(r: TimedResult, peerRate: number): LongRun {
  return { cpuSeconds: r.cpu, rate: rateOf(r), ratio: rateOf(r) / peerRate }
}

/** CODES on this run: least CPU seconds of several tries, less the least of runs that end at once. */
function codesPeer(build: string, run: CodesRun, end: number) {
  let cpu = Number.POSITIVE_INFINITY
  let startUp = Number.POSITIVE_INFINITY
  let answer: CodesAnswer | undefined
  const answered = (until: number) => {
    const got = runCodesPeer(build, run, until)
    if (got.answer === undefined) throw new PeerFailed(`${run.id}: CODES gave no result\n${got.last}`)
    return { cpu: got.cpu, answer: got.answer }
  }
  return {
    once() {
      startUp = Math.min(startUp, runCodesPeer(build, run, 1).cpu)
      const got = answered(end)
      cpu = Math.min(cpu, got.cpu)
      answer = got.answer
    },
    result() {
      const { chunks, hops } = answer!
      // chunks are recorded for CODES' own time only
      return {
        rate: (chunks * hops) / (cpu - startUp),
        chunks: end === run.end ? chunks : answered(run.end).answer.chunks,
      }
    },
  }
}

export interface Ratios {
  readonly rows: number
  readonly median: number
  readonly least: number
}

export interface CodesSummary {
  readonly goal?: Ratios
  readonly all: Ratios
  readonly goalLong?: Ratios
  readonly long?: Ratios
}

/** Median and least ratio of the rows of about 3,000 endpoints, if any of them was run, and of all; in CODES' time, and
 *  over 400 us. */
export function codesSummary(rows: readonly CodesBenchRow[]): CodesSummary {
  const of = (ratios: readonly number[]): Ratios => ({
    rows: ratios.length,
    median: median(ratios),
    least: Math.min(...ratios),
  })
  const short = (some: readonly CodesBenchRow[]) => some.map((r) => r.ratio)
  const long = (some: readonly CodesBenchRow[]) => some.flatMap((r) => (r.long === undefined ? [] : [r.long.ratio]))
  const goal = rows.filter((r) => r.goal)
  return {
    all: of(short(rows)),
    ...(goal.length > 0 ? { goal: of(short(goal)), goalLong: of(long(goal)) } : {}),
    ...(long(rows).length > 0 ? { long: of(long(rows)) } : {}),
  }
}

export function median(of: readonly number[]): number {
  const sorted = [...of].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
