// How cost grows with size: a torus of 64, 4,096 and 65,536 endpoints at the same channel load, and the largest on two
// workers.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { compileHere } from "../../../run/compile-here.ts"

export interface GrowthRow {
  readonly endpoints: number
  readonly workers: number
  readonly cycles: number
  readonly flitHops: number
  readonly wallSeconds: number
  readonly cpuSeconds: number
  /** CPU time of one flit-hop */
  readonly nanoseconds: number
  readonly rate: number
  /** [worker] -> share of the wall time that it waited for others; empty for one worker */
  readonly waited: readonly number[]
  readonly fingerprint: string
  readonly rss: number
}

const plan = [
  { side: 8, workers: 1, cycles: 30000 },
  { side: 64, workers: 1, cycles: 2100 },
  { side: 256, workers: 1, cycles: 900 },
  { side: 256, workers: 2, cycles: 900 },
  { side: 256, workers: 4, cycles: 900 },
]

export function benchGrowth(onRow: (row: GrowthRow) => void): GrowthRow[] {
  const child = fileURLToPath(new URL("./growth-child.js", import.meta.url))
  return plan.map(({ side, workers, cycles }) => {
    const got = spawnSync(process.execPath, [...compileHere, child, String(side), String(workers), String(cycles)], {
      encoding: "utf8",
    })
    if (got.status !== 0) throw new Error(got.stderr)
    const row = JSON.parse(got.stdout) as GrowthRow
    onRow(row)
    return row
  })
}
