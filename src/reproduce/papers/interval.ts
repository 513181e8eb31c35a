// The interval of a row over the seeds, whatever the row calculates: the jackknife (J. W. Tukey, 1958) leaves out one
// seed at a time. For a mean it is the usual 95 % interval; for ratios, maxima and settling times it is an estimate of
// it. A row that depends on experiments of a single seed alone has none.
import { studentQuantile } from "../../core/student.ts"

/** Returns the rows on all runs, with the intervals of their values. */
export function withIntervals<Row extends { readonly value: number }, Run extends { readonly seed: number }>(
  rowsOn: (runs: Runs<Run>) => readonly Row[],
  runs: Runs<Run>,
): readonly (Row & { readonly half?: number })[] {
  const rows = rowsOn(runs)
  const seeds = [...new Set(Object.values(runs).flatMap((all) => (severalSeeds(all) ? all.map((r) => r.seed) : [])))]
  if (seeds.length < 2) return rows
  const without = seeds.map((seed) => rowsOn(leftOut(runs, seed)))
  return rows.map((row, i) => {
    const half = halfOf(without.map((w) => w[i]?.value ?? Number.NaN))
    return Number.isFinite(half) && half > 0 ? { ...row, half } : row
  })
}

type Seeded = { readonly seed: number }
/** Runs by the name of their experiment. */
type Runs<Run> = Readonly<Record<string, readonly Run[]>>

const severalSeeds = (all: readonly Seeded[]): boolean => new Set(all.map((r) => r.seed)).size > 1

/** Experiments of one seed stay as they are. */
function leftOut<Run extends Seeded>(runs: Runs<Run>, seed: number): Runs<Run> {
  return Object.fromEntries(
    Object.entries(runs).map(([name, all]) => [name, severalSeeds(all) ? all.filter((r) => r.seed !== seed) : all]),
  )
}

/** Half the 95 % interval from the values without one seed each. */
function halfOf(values: readonly number[]): number {
  const n = values.length
  const mean = values.reduce((a, b) => a + b, 0) / n
  const variance = ((n - 1) / n) * values.reduce((sum, v) => sum + (v - mean) ** 2, 0)
  return studentQuantile(0.025, n - 1) * Math.sqrt(variance)
}
