// Contract tests of congestion control, on every switch of the library that has the required abilities. Exact tests run
// with all sets of parameters: nothing is lost, a copy of the machine and any partition end in the same state, on two
// threads too. Bounds of the behaviour are tested with the default parameters, because any window is legal and a small
// one is slow.
//
// - `calm`: uniform traffic at a load of 0.3 is delivered as without the protocol.
// - `sink`: N senders keep one endpoint busy.
// - `fair`: they get equal shares (Jain's index), because each arrives over another input of the router.
//
// A protocol that guarantees less by design declares it (CongestionPlugin.guarantees).
import { isCongestion, only } from "../../experiment/outside/kinds.ts"
import type { CongestionModel } from "../../model/congestion.ts"
import type { RunResult } from "../../model/experiment.ts"
import type { Bits, Untried } from "./bits.ts"
import type { Subject } from "./checks.ts"
import {
  ableSwitches,
  convergenceOf,
  ran,
  type Scene,
  type SceneNetwork,
  sceneNetworks,
  specOf,
} from "./congestion-scenes.ts"
import { exact, threaded } from "./exact.ts"
import { contracts, type Finding, looked } from "./finding.ts"

/** Bounds for protocols that declare no others. */
const usual = { sink: 0.9, fairness: 0.9, calm: 0.98, starves: false }
type Bounds = typeof usual
/** the share of the slowest sender, relative to the mean of all */
const LEAST = 0.25
const SENDERS = [2, 6]
const SEEDS = [1, 2, 3]

/** A protocol on one switch and network. */
interface Trial {
  readonly scene: Omit<Scene, "senders" | "seed">
  readonly bounds: Bounds
  readonly title: string
}

export async function checkCongestion(s: Subject): Promise<Bits> {
  const { params, o } = s
  const plugin = only(s.plugin, isCongestion)
  const findings: Finding[] = []
  let model: CongestionModel | undefined
  findings.push(...looked(() => void (model = plugin.make(params, undefined))))
  if (model === undefined || findings.length > 0) return { findings }
  const needs = plugin.needs?.(params) ?? []
  const able = ableSwitches(needs)
  if (able.length === 0) return { findings, left: `no switch has all of ${needs.join(", ")}` }
  const defaults = (o.trial ?? 0) === 0
  const bounds: Bounds = { ...usual, ...plugin.guarantees }
  const own = (model.classes ?? []).reduce((n, c) => n + c.vcs, 0)
  const acknowledged = model.acknowledged === true
  const left: string[] = []
  const untried: Untried[] = []
  const on: string[] = []
  for (const [i, switchName] of able.entries()) {
    const network = networkFor(o.trial ?? 0, i)
    const title = `${switchName} on ${String(network.topology["name"])}`
    o.progress?.(`${plugin.kind} ${plugin.name}: ${title}`)
    const congestion = { ...o.raw, name: plugin.name }
    const t: Trial = {
      scene: { network, switchName, own, acknowledged, congestion, modules: o.modules },
      bounds,
      title,
    }
    const seen = exact(specOf({ ...t.scene, senders: 4, seed: 1 }), title)
    findings.push(...seen.findings)
    if (seen.left !== undefined) left.push(`${title}: ${seen.left}`)
    if (findings.length > 0) return { findings }
    if (seen.left !== undefined) continue
    on.push(title)
    if (!defaults) continue
    const rest = await behaviour(t, o.progress)
    findings.push(...rest.findings)
    untried.push(...(rest.untried ?? []))
    if (findings.length > 0) return { findings }
  }
  return on.length > 0 ? { findings, on, untried: once(untried) } : { findings, left: left.join("; ") }
}

/** Returns the network for a trial: the first one for the defaults, then all of them. */
function networkFor(trial: number, i: number): SceneNetwork {
  return sceneNetworks[trial === 0 ? 0 : (trial + i) % sceneNetworks.length]
}

function once(untried: readonly Untried[]): Untried[] {
  return untried.filter((u, i) => untried.findIndex((v) => v.why === u.why) === i)
}

async function behaviour({ scene, bounds, title }: Trial, progress?: (text: string) => void): Promise<Bits> {
  const findings: Finding[] = []
  const plain = await ran({ ...scene, own: 0, acknowledged: false, congestion: { name: "none" }, senders: 0, seed: 1 })
  const alone = await ran({ ...scene, senders: 0, seed: 1 })
  if (isResult(plain) && isResult(alone)) {
    const part = alone.values["accepted"] / plain.values["accepted"]
    if (!(part >= bounds.calm))
      findings.push({
        contract: contracts.calm,
        says: `${title}: delivers ${percent(part)} of the uniform traffic without congestion, expected ${percent(bounds.calm)}`,
      })
  }
  for (const senders of SENDERS)
    for (const seed of SEEDS) {
      progress?.(`${title}: ${senders} senders, seed ${seed}`)
      const result = await ran({ ...scene, senders, seed })
      if (isResult(result)) findings.push(...converged(result, { ...scene, senders, seed }, bounds, title))
    }
  if (findings.length > 0) return { findings }
  return threaded(specOf({ ...scene, senders: 4, seed: 1 }), title)
}

/** Compares the throughput and the shares of one run with the bounds. */
function converged(result: RunResult, scene: Scene, bounds: Bounds, title: string): Finding[] {
  const { sink, fairness, least } = convergenceOf(result, scene)
  const where = `${title}, ${scene.senders} senders, seed ${scene.seed}`
  return [
    ...(sink >= bounds.sink
      ? []
      : [
          {
            contract: contracts.sink,
            says: `${where}: it receives ${sink.toFixed(3)} flits per cycle, expected ${bounds.sink}`,
          },
        ]),
    ...(fairness >= bounds.fairness
      ? []
      : [
          {
            contract: contracts.fair,
            says: `${where}: Jain's index is ${fairness.toFixed(3)}, expected ${bounds.fairness}`,
          },
        ]),
    ...(least >= LEAST || bounds.starves
      ? []
      : [{ contract: contracts.starved, says: `${where}: the slowest sender has ${least.toFixed(3)} of the mean` }]),
  ]
}

function isResult(r: RunResult | string): r is RunResult {
  return typeof r !== "string"
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`
}
