// The random matrix: configurations by the dozen, each run in every mode and with several numbers of workers. One seed, one sequence of configurations.
import type { RunSpec } from "../../model/experiment.ts"
import { combinedSpec, infinibandSpec, inputQueuedSpec, omniPathSpec, queueSchemeSpec, tiledSpec } from "./clocked.ts"
import { Dice } from "./dice.ts"
import { packetSpec } from "./packet.ts"
import { shrink, yamlOf } from "./shrink.ts"
import { copied, tryOut } from "./trial.ts"
import { clockedWays, packetWays, type Way } from "./ways.ts"

export const engines = ["packet", "input-queued", "tiled", "combined", "infiniband", "omni-path", "queue-scheme"] as const
export type MatrixEngine = (typeof engines)[number]

const specs: Readonly<Record<MatrixEngine, (d: Dice) => RunSpec>> = {
  packet: packetSpec,
  "input-queued": inputQueuedSpec,
  tiled: tiledSpec,
  combined: combinedSpec,
  infiniband: infinibandSpec,
  "omni-path": omniPathSpec,
  "queue-scheme": queueSchemeSpec,
}

export interface Tally {
  tried: number
  /** of these, what the plan refuses */
  refused: number
  runs: number
  packets: number
  /** complaints, and how often */
  readonly complaints: Map<string, number>
  readonly found: Found[]
}

export interface Found {
  readonly number: number
  readonly way: string
  readonly says: readonly string[]
  /** the least experiment that shows it */
  readonly yaml: string
}

export function newTally(): Tally {
  return { tried: 0, refused: 0, runs: 0, packets: 0, complaints: new Map(), found: [] }
}

export interface MatrixOptions {
  readonly seed: number
  /** workers on threads of their own as well, sometimes: from the built program only */
  readonly threads: boolean
  /** look for the least experiment that shows a difference */
  readonly least: boolean
  /** share of networks of more than 64 routers; none unless given */
  readonly wide?: number
}

/** Configuration `number` of a seed. */
export function configuration(engine: MatrixEngine, seed: number, number: number, wide = 0): { dice: Dice; spec: RunSpec } {
  const dice = new Dice(seed + engines.indexOf(engine), number, wide)
  return { dice, spec: specs[engine](dice) }
}

export async function tryNumber(engine: MatrixEngine, number: number, o: MatrixOptions, tally: Tally): Promise<void> {
  const { dice, spec } = configuration(engine, o.seed, number, o.wide)
  const threads = o.threads && dice.chance(0.1)
  const ways = engine === "packet" ? packetWays(dice, threads) : clockedWays(dice, threads)
  const trial = await tryOut(spec, ways)
  tally.tried++
  tally.runs += trial.runs
  tally.packets += trial.packets
  if (trial.refused.length > 0) {
    tally.refused++
    const { path, says } = trial.refused[0]!
    tally.complaints.set(`${path}: ${says}`, (tally.complaints.get(`${path}: ${says}`) ?? 0) + 1)
    return
  }
  if (trial.difference !== undefined) {
    const { way, says } = trial.difference
    tally.found.push({ number, way: way.label, says, yaml: yamlOf(o.least ? await leastFor(spec, ways[0]!, way) : spec) })
    return
  }
  if (engine === "packet") return
  const says = copied(spec, dice.int(1, 3), dice.int(50, 400), 500)
  tally.runs += 3
  if (says.length > 0) tally.found.push({ number, way: "snapshot and restore", says, yaml: yamlOf(spec) })
}

function leastFor(spec: RunSpec, first: Way, way: Way): Promise<RunSpec> {
  return shrink(spec, async (s) => (await tryOut(s, first === way ? [first] : [first, way])).difference !== undefined)
}
