// Changes that may remove the cause of a saturation or a deadlock. Each cause has a list of candidates, and the first
// that makes a valid experiment is the answer; for a deadlock it must also be proved deadlock-free. Whether it helps is
// not predicted: the studio simulates it.
import { compile } from "../../src/compile/compile.ts"
import { offeredTo } from "../../src/compile/offered.ts"
import { complaintsOf } from "../../src/experiment/cross-checks.ts"
import { bringing } from "../../src/experiment/outside/in-page.ts"
import type { LoadedModule } from "../../src/experiment/outside/module.ts"
import { type Plan, plan } from "../../src/experiment/plan.ts"
import { type ExperimentFile, readText } from "../../src/experiment/text.ts"
import { checkPlan } from "../../src/inspect/check-plan.ts"
import { library } from "../../src/library.ts"
import type { RunSpec } from "../../src/model/experiment.ts"
import { endOf } from "../../src/model/graph.ts"
import { type Host, hostOf } from "../../src/model/host.ts"
import { prepare } from "../../src/run/open.ts"
import type { Cure, CureAsk } from "../shared/planner.ts"
import { fits } from "./form.ts"
import { outsideHere } from "./outside.ts"

/** Part of the load that a cure offers: just below what the network carries. */
const BELOW = 0.95
/** Routings with other paths than the shortest, best known first. Those of other simulators are left out. */
const DETOURS = [/\.ugal-l$/, /\.ugal-g$/, /\.par$/, /\.dimwar$/, /\.adaptive$/, /\.valiant$/]
const PROVED = [/\.dimension-order$/, /\.minimal$/, /\.up-down$/]

interface Run {
  readonly ask: CureAsk
  readonly spec: RunSpec
  readonly host: Host
}

/** Returns the first change that can be tried, or undefined if there is none. */
export async function cureOf(ask: CureAsk): Promise<Cure | undefined> {
  const read = readText(ask.text, ask.name, hostOf(ask.files))
  if ("bad" in read) return undefined
  const outside = await outsideHere(read.ok)
  if ("bad" in outside) return undefined
  const written = { ask, file: read.ok, outside: outside.ok }
  const { spec } = planned(written, [])?.runs[ask.run] ?? {}
  if (spec === undefined) return undefined
  const host = bringing(read.ok.host, spec.plugins)
  return candidates({ ask, spec, host }).find(({ set }) => isValid(written, set))
}

interface Written {
  readonly ask: CureAsk
  readonly file: ExperimentFile
  readonly outside: readonly LoadedModule[]
}

function planned({ ask, file, outside }: Written, set: readonly string[]): Plan | undefined {
  const made = plan(file, { set: [...ask.set, ...set], outside })
  return "bad" in made ? undefined : made.ok
}

function isValid(written: Written, set: readonly string[]): boolean {
  const { ask, file } = written
  const run = planned(written, set)?.runs[ask.run]
  if (run === undefined || complaintsOf([run], file.host, { prepare }).length > 0) return false
  if (ask.cause !== "deadlock") return true
  const hostFor = (spec: RunSpec) => bringing(file.host, spec.plugins)
  return checkPlan({ runs: [run] }, hostFor, { brief: true }).every(({ check }) => check.deadlock.free)
}

function candidates(run: Run): Cure[] {
  const { cause } = run.ask
  if (cause === "deadlock") return [...setting(run, "tailCredit", true), ...routings(run, PROVED)]
  if (cause === "endpoint") return lessToEndpoint(run)
  if (cause === "link") return [...routings(run, DETOURS), ...lessLoad(run)]
  if (cause === "credits") return [...largerBuffer(run), ...lessLoad(run)]
  if (cause === "crossbar") {
    const { speed } = switchOf(run)
    return [...(speed === 1 ? setting(run, "speed", 2) : []), ...moreVcs(run), ...lessLoad(run)]
  }
  return cause === "source" ? lessLoad(run) : []
}

const switchOf = ({ spec }: Run): Readonly<Record<string, unknown>> => spec.network.switch

function setting(run: Run, key: string, value: unknown): Cure[] {
  const before = switchOf(run)[key]
  if (before === undefined || before === value) return []
  return [{ set: [`network.switch.${key}=${String(value)}`], says: `switch.${key}: ${String(value)}` }]
}

/** Each routing is tried with the VCs that there are, and with more. */
function routings(run: Run, wanted: readonly RegExp[]): Cure[] {
  const { routing } = run.spec.network
  const fitting = library.filter((p) => p.kind === "routing" && p.name !== routing.name && fits(p, run.spec))
  return wanted
    .flatMap((name) => fitting.filter((p) => name.test(p.name)))
    .flatMap((p) => {
      const alone = { set: [`network.routing=${p.name}`], says: `the routing ${p.name}` }
      const vcs = moreVcs(run).map((more) => ({
        set: [...alone.set, ...more.set],
        says: `${alone.says} and ${more.says}`,
      }))
      return [alone, ...vcs]
    })
}

function moreVcs(run: Run): Cure[] {
  const { vcs } = switchOf(run)
  return typeof vcs === "number" ? setting(run, "vcs", 2 * vcs) : []
}

/** Enlarges the buffer to the round trip of the channel: both directions of its link, and a packet. */
function largerBuffer(run: Run): Cure[] {
  const compiled = compile(run.spec, run.host)
  const { buffer } = switchOf(run)
  const size = typeof buffer === "string" ? /^(\d+)\s*(\D+)$/.exec(buffer) : null
  if ("bad" in compiled || size === null) return []
  const latency = compiled.ok.network.topology.graph.latency[run.ask.channel]
  const packet = Math.max(...compiled.ok.streams.map((s) => s.packet.max))
  let flits = Number(size[1])
  while (flits < 2 * latency + 2 * packet) flits *= 2
  return setting(run, "buffer", `${Math.max(flits, 2 * Number(size[1]))}${size[2]}`)
}

/** Reduces all streams to what the network has accepted. */
function lessLoad({ spec, ask }: Run): Cure[] {
  const share = (BELOW * ask.accepted) / ask.offered
  if (!(share > 0 && share < 1)) return []
  const set = spec.traffic.map(({ load }, i) => `traffic.${i}.load=${rounded(load * share)}`)
  return [{ set, says: `${Math.round(100 * share)} % of the load` }]
}

/** Reduces the stream with the largest part at the full link of an endpoint to what the link carries. */
function lessToEndpoint({ spec, ask, host }: Run): Cure[] {
  const compiled = compile(spec, host)
  if ("bad" in compiled) return []
  const { streams, network } = compiled.ok
  const { graph } = network.topology
  const far = graph.far[ask.channel]
  if (far >= -1) return []
  const end = endOf(far)
  const loads = spec.traffic.map(
    (t, i) => offeredTo({ spec: { traffic: [t] }, streams: [streams[i]] }, graph.ends)[end],
  )
  const most = loads.indexOf(Math.max(...loads))
  const left = BELOW - loads.reduce((sum, l, i) => (i === most ? sum : sum + l), 0)
  if (!(left > 0 && left < loads[most])) return []
  const load = rounded((spec.traffic[most].load * left) / loads[most])
  return [{ set: [`traffic.${most}.load=${load}`], says: `load ${load} for ${spec.traffic[most].name}` }]
}

/** Rounds down to three digits. */
function rounded(load: number): number {
  const unit = 10 ** (Math.floor(Math.log10(load)) - 2)
  return Number((Math.floor(load / unit) * unit).toPrecision(3))
}
