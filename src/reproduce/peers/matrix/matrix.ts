// The random matrix: configurations by the dozen, each run in every mode and with several numbers of workers. One seed,
// one sequence of configurations.
import { copied } from "../../../inspect/contract/emptied.ts"
import type { RunSpec } from "../../../model/experiment.ts"
import { combinedSpec } from "./combined.ts"
import { inputQueuedSpec } from "./input-queued.ts"
import { infinibandSpec, omniPathSpec } from "./levels.ts"
import { clockedModes, type Mode, packetModes } from "./modes.ts"
import { packetSpec } from "./packet.ts"
import { queueSchemeSpec } from "./queue-scheme.ts"
import { RandomConfig } from "./random-config.ts"
import { shrink, yamlOf } from "./shrink.ts"
import { tiledSpec } from "./tiled.ts"
import { tryOut } from "./trial.ts"

export const engines = [
  "packet",
  "input-queued",
  "tiled",
  "combined",
  "infiniband",
  "omni-path",
  "queue-scheme",
] as const
export type MatrixEngine = (typeof engines)[number]

const specs: Readonly<Record<MatrixEngine, (d: RandomConfig) => RunSpec>> = {
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
  /** configurations of more than 1,000 routers that were run */
  huge: number
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
  return { tried: 0, refused: 0, runs: 0, packets: 0, huge: 0, complaints: new Map(), found: [] }
}

export interface MatrixOptions {
  readonly seed: number
  /** sometimes also workers on separate threads: from the built program only */
  readonly threads: boolean
  /** look for the least experiment that shows a difference */
  readonly least: boolean
  /** share of networks of more than 64 routers (default: 0) */
  readonly wide?: number
  /** probability of a network of more than 1,000 routers (default: 0) */
  readonly huge?: number
}

/** Configuration `number` of a seed. */
export function configuration(
  engine: MatrixEngine,
  seed: number,
  number: number,
  wide = 0,
  huge = 0,
): { random: RandomConfig; spec: RunSpec } {
  const random = new RandomConfig(seed + engines.indexOf(engine), number, wide, huge)
  return { random, spec: specs[engine](random) }
}

export async function tryNumber(engine: MatrixEngine, number: number, o: MatrixOptions, tally: Tally): Promise<void> {
  const { random, spec } = configuration(engine, o.seed, number, o.wide, o.huge)
  const threads = o.threads && random.chance(0.1)
  const ways = engine === "packet" ? packetModes(random, threads) : clockedModes(random, threads)
  const trial = await tryOut(spec, ways)
  tally.tried++
  tally.runs += trial.runs
  tally.packets += trial.packets
  if (trial.refused.length > 0) {
    tally.refused++
    const { path, says } = trial.refused[0]
    tally.complaints.set(`${path}: ${says}`, (tally.complaints.get(`${path}: ${says}`) ?? 0) + 1)
    return
  }
  if (isHuge(spec)) tally.huge++
  if (trial.difference !== undefined) {
    const { way, says } = trial.difference
    tally.found.push({
      number,
      way: way.label,
      says,
      yaml: yamlOf(o.least ? await leastFor(spec, ways[0], way) : spec),
    })
    return
  }
  if (engine === "packet") return
  const says = copied(spec, random.int(1, 3), random.int(50, 400), 500)
  tally.runs += 3
  if (says.length > 0) tally.found.push({ number, way: "snapshot and restore", says, yaml: yamlOf(spec) })
}

function isHuge(spec: RunSpec): boolean {
  const { name, sides, k, n } = spec.network.topology as Readonly<Record<string, unknown>>
  if (name === "tree") return Number(n) * Number(k) ** (Number(n) - 1) > 1000
  const all = String(sides).split("x").map(Number)
  return name === "torus" && all.reduce((product, side) => product * side, 1) > 1000
}

function leastFor(spec: RunSpec, first: Mode, way: Mode): Promise<RunSpec> {
  return shrink(spec, async (s) => (await tryOut(s, first === way ? [first] : [first, way])).difference !== undefined)
}
