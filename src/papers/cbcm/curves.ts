// What several figures judge of a curve: the most that is accepted, and the load up to which all is carried.
import type { PaperRuns } from "../paper.ts"
import { at } from "./network.ts"

export function most(runs: PaperRuns, variant: string, loads: readonly number[]): number {
  return Math.max(...loads.map((load) => at(runs, "curve", { variant, load }, "accepted")))
}

/** What a run says of a variant at a load. */
export type Of = (load: number, value: string) => number

/** The highest load, whatever lower ones do, of which 0.97 and more arrive, with less than six times the latency of the
 *  lowest. `name`: of a stream, with its dot. */
export function saturation(loads: readonly number[], of: Of, name = ""): number {
  const zero = of(loads[0], `${name}latency.mean`)
  const fine = (load: number): boolean =>
    of(load, `${name}latency.mean`) < 6 * zero && of(load, `${name}accepted`) >= 0.97 * of(load, `${name}offered`)
  if (!Number.isFinite(zero)) return Number.NaN
  return loads.reduce((last, load) => (fine(load) ? load : last), 0)
}
