// Tests the behaviour of a switch in scenarios with known results. Packets have F = 4 flits, and a router has 8 ports
// by default. The scenarios are the functions below.
//
// shared: seven inputs request one output all the time. Each must get a seventh of it, and none may wait longer than
// the bound. permutation: every input has a separate output, so the whole load must pass. uniform: every input sends to
// all outputs at full load. One FIFO per input accepts 2 - sqrt 2 of it, the least that any switch should do (M. Karol,
// M. Hluchyj and S. Morgan, "Input versus output queueing on a space-division packet switch", 1987).
//
// far: two routers, a link of 100 cycles and small buffers, so credits limit the throughput. If a flits pass per cycle,
// a packet starts every F / a cycles and occupies the link for F of them. The head packet waits for credits in the
// other cycles: F / a - F. near: one output at 0.88 of its capacity with large buffers, so no packet waits for credits.
//
// A plug-in declares its parameters in these scenarios, and where it promises less by design (model/behaviour.ts).
import { hostAt } from "../../experiment/disk/host.ts"
import type { LoadedModule } from "../../experiment/outside/module.ts"
import { plan } from "../../experiment/plan.ts"
import { plainSource } from "../../experiment/source.ts"
import type { AnyPlugin } from "../../library.ts"
import type { Behaviour, BehaviourVariant, SwitchParams } from "../../model/behaviour.ts"
import type { RunResult } from "../../model/experiment.ts"
import { prepare, simulate } from "../../run/simulate.ts"
import type { Bits, Untried } from "./bits.ts"
import { type Contract, contracts, type Finding } from "./finding.ts"

const PORTS = 8
const FLITS = 4
const ASKERS = Array.from({ length: PORTS - 1 }, (_, i) => i)
const [WARM, WINDOW] = [2000, 6000]
/** minimum share of an input, relative to an equal one */
const SHARE = 0.95
/**
 * Bound of the gap between packets of one input: this many times the duration of all requests of all inputs, one after
 * the other. With N inputs that have V requests each: ROUNDS * N * V * F cycles at full throughput.
 */
const ROUNDS = 3
const least = { shared: 0.96, permutation: 0.98, uniform: 2 - Math.SQRT2 }
/** tolerance of the credit stall time: relative, and in cycles */
const [PART, CYCLES] = [0.15, 2]
/** seeds of the first set of parameters, and of each other one */
export const SEEDS = { first: 12, other: 2 }

const usual: Behaviour = { stand: () => ({}), variants: [{}] }

/** Thrown if a contract could not be tested in a scenario. */
class Unrun extends Error {
  readonly contract: Contract
  constructor(contract: Contract, says: string) {
    super(says)
    this.contract = contract
  }
}

interface Scene {
  readonly network: SwitchParams
  readonly traffic: readonly SwitchParams[]
  readonly seed?: number
  readonly events?: boolean
}

export interface Looked {
  readonly plugin: AnyPlugin
  readonly modules: readonly LoadedModule[]
  /** parameters that override those of the scenarios */
  readonly raw: SwitchParams
}

/** Returns the findings of all scenarios, with all sets of parameters that the plug-in declares. */
export async function behaviourOf(looked: Looked): Promise<Bits> {
  const behaviour = looked.plugin.behaviour ?? usual
  const findings: Finding[] = []
  const untried: Untried[] = []
  for (const [i, variant] of behaviour.variants.entries())
    try {
      findings.push(...(await lookAt({ ...looked, behaviour, variant, seeds: i === 0 ? SEEDS.first : SEEDS.other })))
    } catch (e) {
      if (!(e instanceof Unrun)) throw e
      untried.push({ contract: e.contract, why: `${nameOf(variant)}: ${e.message}` })
    }
  // A promise that the first set of parameters does not make is not reported as kept.
  const { fair, bounded, because: why = "it does not promise this" } = behaviour.variants[0] ?? {}
  if (fair === false) untried.push({ contract: contracts.shares, why })
  if (bounded === false) untried.push({ contract: contracts.bounded, why })
  if (!hasEvents(looked.plugin)) untried.push({ contract: contracts.bounded, why: "its engine writes no events" })
  return { findings, untried }
}

interface Trial extends Looked {
  readonly behaviour: Behaviour
  readonly variant: BehaviourVariant
  readonly seeds: number
}

function nameOf(variant: BehaviourVariant): string {
  const keys = Object.entries(variant.with?.(64) ?? {}).map(
    ([k, v]) => `${k} ${typeof v === "object" ? JSON.stringify(v) : String(v)}`,
  )
  return keys.length > 0 ? keys.join(", ") : "as it stands"
}

async function lookAt(t: Trial): Promise<Finding[]> {
  const findings: Finding[] = []
  const found = (contract: Contract, says: string) =>
    void findings.push({ contract, says: `${nameOf(t.variant)}: ${says}` })
  for (let seed = 1; seed <= t.seeds; seed++) await shared(t, seed, found)
  await throughput(t, found)
  await far(t, found)
  await near(t, found)
  return findings
}

type Found = (contract: Contract, says: string) => void

function paramsOf({ behaviour, variant, raw, plugin }: Trial, flits: number, one: boolean): SwitchParams {
  return { ...behaviour.stand(flits, one), ...variant.with?.(flits), ...raw, name: plugin.name }
}

const crossbar = (sw: SwitchParams): SwitchParams => ({
  topology: { name: "crossbar", n: PORTS },
  routing: "crossbar.direct",
  switch: sw,
  links: { end: "1cycle" },
})

function hasEvents({ can }: AnyPlugin): boolean {
  return can?.includes("events") === true
}

/** Checks throughput, fairness and the waiting bound of one contended output. */
async function shared(t: Trial, seed: number, found: Found): Promise<void> {
  const sw = paramsOf(t, 64, false)
  const events = hasEvents(t.plugin)
  const traffic = ASKERS.map((e) => ({ ...stream([e], 1), name: `s${e}` }))
  const r = await run(t, contracts.shares, { network: crossbar(sw), traffic, seed, events })
  const shares = ASKERS.map((e) => PORTS * r.values[`s${e}.accepted`])
  const sum = shares.reduce((a, b) => a + b, 0)
  const { shared: floor = least.shared, fair = true, bounded = true } = t.variant
  if (!(sum >= floor))
    found(
      contracts.floor,
      `the output that seven inputs request carries ${sum.toFixed(3)} of its capacity, expected ${floor}`,
    )
  const equal = equalShares(t.behaviour.group?.(sw, PORTS) ?? 1)
  for (const e of ASKERS) {
    const share = shares[e] / sum / equal[e]
    if (fair && !(share >= SHARE))
      found(
        contracts.shares,
        `input ${e} of seven that request one output gets ${share.toFixed(3)} of ` +
          `its share (seed ${seed}), expected ${SHARE}`,
      )
    // Duration of all requests, if all inputs had the share of this one.
    const most = Math.ceil((ROUNDS * (t.behaviour.requests ?? 1) * FLITS) / equal[e] / sum)
    const gap = events ? longestGap(r, e) : 0
    if (bounded && gap > most)
      found(
        contracts.bounded,
        `input ${e} of seven that request one output waits for ${gap} cycles (seed ${seed}), expected at most ${most}`,
      )
  }
}

/** Returns the shares of the inputs if groups of `size` neighbours are served round-robin. */
export function equalShares(size: number): number[] {
  const group = (e: number) => Math.floor(e / size)
  const groups = new Set(ASKERS.map(group)).size
  return ASKERS.map((e) => 1 / groups / ASKERS.filter((x) => group(x) === group(e)).length)
}

/** Returns the longest time between two successive packets of input e at the output, or until the end of the run. */
function longestGap({ tables }: RunResult, e: number): number {
  const { cycle, a } = tables["events"] as { cycle: readonly number[]; a: readonly number[] }
  let last = WARM
  let most = 0
  for (let i = 0; i < cycle.length; i++) {
    if (a[i] !== e || cycle[i] < WARM) continue
    most = Math.max(most, cycle[i] - last)
    last = cycle[i]
  }
  return Math.max(most, WARM + WINDOW - last)
}

/** Checks the throughput of a permutation and of uniform traffic. */
async function throughput(t: Trial, found: Found): Promise<void> {
  const network = crossbar(paramsOf(t, 64, false))
  const { permutation = least.permutation, uniform = least.uniform } = t.variant
  const load = { load: 1, packet: `${FLITS}flits` }
  const own = await run(t, contracts.floor, { network, traffic: [{ pattern: "neighbour", ...load }] })
  const passed = own.values["accepted"] / own.values["offered"]
  if (!(passed >= permutation))
    found(contracts.floor, `${passed.toFixed(3)} of a permutation passes, expected ${permutation}`)
  const all = await run(t, contracts.floor, { network, traffic: [{ pattern: "uniform", ...load }] })
  const carried = all.values["accepted"]
  if (!(carried >= uniform))
    found(contracts.floor, `${carried.toFixed(3)} of uniform traffic passes, expected ${uniform.toFixed(3)}`)
}

/**
 * Returns the cycles that a packet waits for credits if n packets wait together and a flits pass per cycle: n * F / a,
 * minus the cycles of its own transmission.
 */
function creditsOf(n: number, a: number): number {
  return (n * FLITS) / a - FLITS
}

/** Checks the credit stall time with a long link and small buffers. */
async function far(t: Trial, found: Found): Promise<void> {
  const buffer = 32
  const load = 0.5
  const r = await run(t, contracts.credits, {
    network: {
      topology: { name: "mesh", sides: "2", p: 2 },
      routing: "mesh.dimension-order",
      switch: paramsOf(t, buffer, true),
      links: { end: "1cycle", link: "100cycles" },
    },
    traffic: [{ ...stream([0], load), pattern: { name: "to-set", set: [2] } }],
  })
  const passed = 4 * r.values["accepted"]
  if (!(passed < 0.9 * load))
    throw new Unrun(contracts.credits, `${passed.toFixed(3)} flits pass in each cycle, so credits do not decide`)
  const expected = creditsOf(t.behaviour.waiting?.(buffer) ?? 1, passed)
  const credits = r.values["time.credits"] ?? Number.NaN
  if (!(Math.abs(credits - expected) <= PART * expected + CYCLES))
    found(
      contracts.credits,
      `time.credits is ${credits.toFixed(1)} where credits let ${passed.toFixed(3)} ` +
        `flits pass in each cycle, expected ${expected.toFixed(1)}`,
    )
}

/** Checks that there is no credit stall with large buffers. */
async function near(t: Trial, found: Found): Promise<void> {
  const r = await run(t, contracts.credits, {
    network: crossbar(paramsOf(t, 1024, false)),
    traffic: [stream([0, 1, 2, 3], 0.22)],
  })
  const credits = r.values["time.credits"] ?? Number.NaN
  if (!(credits <= 0.1))
    found(contracts.credits, `time.credits is ${credits.toFixed(1)} where credits are plentiful, expected 0`)
}

function stream(from: readonly number[], load: number): SwitchParams {
  return { pattern: { name: "to-set", set: [PORTS - 1] }, from, load, packet: `${FLITS}flits` }
}

/** Runs one scenario in this thread, with conservation checks. */
async function run({ modules, behaviour }: Trial, contract: Contract, scene: Scene): Promise<RunResult> {
  const { network, traffic, seed = 1, events = false } = scene
  const experiment = {
    lacewing: 1,
    plugins: modules.map((m) => m.file),
    ...(behaviour.engine === undefined ? {} : { engine: behaviour.engine }),
    network: { cycle: "1ns", flit: "8B", ...network },
    traffic,
    measure: {
      warmup: `${WARM}cycles`,
      window: `${WINDOW}cycles`,
      limit: `${2 * WINDOW}cycles`,
      drain: "none",
      saturation: "never",
    },
    probes: events ? [{ name: "events", rows: 65_536, kinds: ["delivered"] }] : [],
    seeds: [seed],
  }
  const planned = plan(
    { source: plainSource("contract", experiment), host: hostAt("."), name: "contract" },
    { outside: modules },
  )
  if ("bad" in planned) throw new Unrun(contract, planned.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  const { spec } = planned.ok.runs[0]
  const prepared = prepare(spec, hostAt(".", spec.plugins))
  if ("bad" in prepared) throw new Unrun(contract, prepared.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  return simulate(prepared.ok, { workers: 1, threads: false, audit: true })
}
