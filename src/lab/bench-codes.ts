// `lacewing bench codes`: speed on one core beside CODES' sequential engine, in chunk-hops per CPU second of the run loop; start-up is left out on
// both sides. Each run has a process of its own. Runs at load 0.1 are measured over 400 us instead of 40, so that they are not mostly start-up.
import { arch, availableParallelism, cpus } from "node:os"
import { runOrder, type TimedResult } from "./codes-runs.ts"
import { codesEntries } from "./reference/codes.ts"
import { codesSpeed } from "./reference/codes-speed.ts"

/** where the recorded figures of CODES and ROSS come from */
export const codesMachine = "figures recorded on two shared arm64 cores (Neoverse N1 class), gcc 12.2 -O3"

export function thisMachine(): string {
  return `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? "unknown"} (${arch()}), Node ${process.version}`
}

export interface CodesBenchRow {
  readonly name: string
  readonly work: string
  readonly cpuSeconds: number
  /** chunk-hops per CPU second, ours and CODES' */
  readonly rate: number
  readonly peerRate: number
  readonly ratio: number
  readonly peer: "recorded"
  /** MiB of the process, ours and CODES' */
  readonly memory: number
  readonly peerMemory: number
}

export interface CodesBenchOptions {
  readonly match?: RegExp
  /** the best of so many runs counts */
  readonly tries?: number
  onRow?(row: CodesBenchRow): void
}

interface Recorded {
  readonly id: string
  readonly rate: number
  readonly memory: number
}

export function recordedCodesSpeed(): Recorded[] {
  return codesSpeed
    .trim()
    .split("\n")
    .map((line) => {
      const [id, rate, memory] = line.split(" ")
      return { id: id!, rate: Number(rate), memory: Number(memory) }
    })
}

export async function benchCodes(o: CodesBenchOptions = {}): Promise<CodesBenchRow[]> {
  const runs = new Map(codesEntries().map((e) => [e.id, e]))
  const rows: CodesBenchRow[] = []
  for (const { id, rate: peerRate, memory: peerMemory } of recordedCodesSpeed()) {
    if (o.match !== undefined && !o.match.test(id)) continue
    const run = runs.get(id)!
    const end = run.load / run.rails <= 0.1 ? 10 * run.end : run.end
    let best: TimedResult | undefined
    for (let i = 0; i < (o.tries ?? 1); i++) {
      const [got] = await runOrder({ run, seeds: [1], end })
      if (got === undefined) break
      if (best === undefined || got.cpu < best.cpu) best = got
    }
    const rate = (best!.chunks * best!.hops) / best!.cpu
    const row: CodesBenchRow = {
      name: id,
      work: `${run.network.slice(2)} endpoints, ${end / 1000} us, ${best!.chunks} chunks`,
      cpuSeconds: best!.cpu,
      rate,
      peerRate,
      ratio: rate / peerRate,
      peer: "recorded",
      memory: Math.round(best!.rss),
      peerMemory,
    }
    rows.push(row)
    o.onRow?.(row)
  }
  return rows
}

export function median(of: readonly number[]): number {
  const sorted = [...of].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
