// Values of finished runs of figures 5 and 6: a level, a switch, a total load.
import { Moments } from "../../../core/stats.ts"
import type { Spot } from "../../../draw/figure/figure.ts"
import type { PaperRuns } from "../paper.ts"
import { bestEffort, NS, type Switch } from "./network.ts"

export const FIRST = 0.5735
export const LAST = 0.9935

export class Read {
  private readonly runs: PaperRuns
  constructor(runs: PaperRuns) {
    this.runs = runs
  }
  /** of the seeds of one point */
  private at(sw: Switch, total: number, value: string): Moments {
    const load = bestEffort(total)
    const runs = (this.runs[sw] ?? []).filter((r) => Number(r.point["traffic.4.load"]) === load)
    return new Moments().addAll(runs.map((r) => r.result.values[value] ?? Number.NaN))
  }
  private mean(sw: Switch, total: number, value: string): number {
    const m = this.at(sw, total, value)
    return m.n === 0 ? Number.NaN : m.mean
  }
  latency(sw: Switch, total: number, level: string): number {
    return NS * this.mean(sw, total, `${level}.latency.mean`)
  }
  growth(sw: Switch, level: string): number {
    return this.latency(sw, LAST, level) - this.latency(sw, FIRST, level)
  }
  times(sw: Switch, level: string): number {
    return this.latency(sw, LAST, level) / this.latency(sw, FIRST, level)
  }
  accepted(sw: Switch, total: number, level: string): number {
    return this.mean(sw, total, `${level}.accepted`)
  }
  offered(sw: Switch, total: number, level: string): number {
    return this.mean(sw, total, `${level}.offered`)
  }
  share(sw: Switch, total: number, level: string): number {
    return this.accepted(sw, total, level) / this.offered(sw, total, level)
  }
  /** mean of the seeds with its 95 % interval, where there are several */
  spot(sw: Switch, total: number, value: string, factor: number): Spot {
    const m = this.at(sw, total, value)
    const half = m.half()
    const y = (m.n === 0 ? Number.NaN : m.mean) * factor
    return { x: total, y, ...(Number.isFinite(half) ? { low: y - half * factor, high: y + half * factor } : {}) }
  }
}
