// `lacewing bench codes`: speed on one core beside CODES' sequential engine, in chunk-hops per CPU second of the run loop; start-up is left out on
// both sides. Each run has a process of its own. Runs at load 0.1 are measured over 400 us instead of 40, so that they are not mostly start-up, in CODES as well where it
// is measured here.
import { arch, availableParallelism, cpus } from "node:os"
import { type CodesRun, codesEntries } from "../codes/experiments.ts"
import { type CodesAnswer, runCodesPeer } from "../codes/program.ts"
import { runOrder, type TimedResult } from "../codes/runs.ts"
import { codesFurtherSpeed, codesGoalSpeed } from "../codes/speed.ts"
import { PeerFailed } from "../program.ts"

/** where the recorded figures of CODES and ROSS come from */
export const codesMachine = "figures recorded on two shared arm64 cores (Neoverse N1 class), gcc 12.2 -O3"

export function thisMachine(): string {
  return `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? "unknown"} (${arch()}), Node ${process.version}`
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
  readonly peer: "measured" | "recorded"
  /** measured: chunks that it delivered in its own time, and those that are recorded */
  readonly peerChunks?: { readonly here: number; readonly recorded: number }
  /** MiB of the process, ours and CODES' as recorded: nearly all of that is what it reserves */
  readonly memory: number
  readonly peerMemory: number
}

export interface CodesBenchOptions {
  /** the folder src of a build of CODES; without it its recorded figures are compared with */
  readonly codes?: string | undefined
  readonly match?: RegExp
  /** the best of so many runs counts, ours as well as CODES' */
  readonly tries?: number
  onRow?(row: CodesBenchRow): void
}

interface Recorded {
  readonly id: string
  readonly goal: boolean
  readonly rate: number
  readonly memory: number
}

export function recordedCodesSpeed(): Recorded[] {
  const rows = (table: string, goal: boolean) =>
    table
      .trim()
      .split("\n")
      .map((line) => {
        const [id, rate, memory] = line.split(" ")
        return { id: id!, goal, rate: Number(rate), memory: Number(memory) }
      })
  return [...rows(codesGoalSpeed, true), ...rows(codesFurtherSpeed, false)]
}

export async function benchCodes(o: CodesBenchOptions = {}): Promise<CodesBenchRow[]> {
  const runs = new Map(codesEntries().map((e) => [e.id, e]))
  const rows: CodesBenchRow[] = []
  for (const { id, goal, rate: recorded, memory: peerMemory } of recordedCodesSpeed()) {
    if (o.match !== undefined && !o.match.test(id)) continue
    const run = runs.get(id)!
    const end = run.load / run.rails <= 0.1 ? 10 * run.end : run.end
    const peer = o.codes === undefined ? undefined : codesPeer(o.codes, run, end)
    let best: TimedResult | undefined
    for (let i = 0; i < (o.tries ?? 1); i++) {
      peer?.once()
      const [got] = await runOrder({ run, seeds: [1], end })
      if (best === undefined || got!.cpu < best.cpu) best = got
    }
    const rate = (best!.chunks * best!.hops) / best!.cpu
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
      peer: measured === undefined ? "recorded" : "measured",
      ...(measured === undefined ? {} : { peerChunks: { here: measured.chunks, recorded: run.chunks } }),
      memory: Math.round(best!.rss),
      peerMemory,
    }
    rows.push(row)
    o.onRow?.(row)
  }
  return rows
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
      return { rate: (chunks * hops) / (cpu - startUp), chunks: end === run.end ? chunks : answered(run.end).answer.chunks }
    },
  }
}

export interface Ratios {
  readonly rows: number
  readonly median: number
  readonly least: number
}

/** Median and least ratio of the rows of about 3,000 endpoints, if any of them was run, and of all. */
export function codesSummary(rows: readonly CodesBenchRow[]): { readonly goal?: Ratios; readonly all: Ratios } {
  const of = (some: readonly CodesBenchRow[]): Ratios => {
    const ratios = some.map((r) => r.ratio)
    return { rows: some.length, median: median(ratios), least: Math.min(...ratios) }
  }
  const goal = rows.filter((r) => r.goal)
  return { ...(goal.length > 0 ? { goal: of(goal) } : {}), all: of(rows) }
}

export function median(of: readonly number[]): number {
  const sorted = [...of].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
