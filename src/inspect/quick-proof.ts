// The deadlock proof before cycle 0 of a run. It is the proof of `lacewing check` with a bound on its effort, so its
// verdict is "free", "not free" with the cyclic dependency, or "not decided". A network with a cyclic dependency is
// refused, unless the experiment or the caller wants to watch it. An undecided network is refused only if a switch
// setting contradicts the requirements of the routing. A network in which some packet is led nowhere is never called
// free: that packet blocks others for ever. It is run with a warning, because the traffic may not contain such a
// packet. Proofs are cached for the lifetime of the process.

import { classesOf, compileNetwork } from "../compile/build-network.ts"
import type { Network } from "../compile/network.ts"
import { subjectOf } from "../compile/subject.ts"
import { canonical } from "../core/canonical.ts"
import { type Complaint, complain } from "../core/complaint.ts"
import { contradicted, type Needed, neededOf } from "../experiment/conditions.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { faultOf } from "../experiment/outside/fault.ts"
import type { PlannedRun } from "../experiment/plan.ts"
import type { Placed } from "../experiment/source.ts"
import type { RunSpec } from "../model/experiment.ts"
import { type Proof, prove } from "../proof/prove.ts"
import { type Subject, tellFault } from "../proof/subject.ts"
import { cureOf, edgeOf } from "./check-network.ts"
import { networkName } from "./check-plan.ts"

export interface QuickProof {
  /** topology, routing and VCs */
  readonly network: string
  readonly verdict: "free" | "not free" | "not decided"
  /** reasons in sentences, and the packets of the cyclic dependency if there is one */
  readonly words: readonly string[]
  /** settings that make it deadlock-free, if known */
  readonly cure?: string
  /** a packet that never arrives, in a sentence */
  readonly lost?: string
  /** why it is not run by default */
  readonly refusal?: Complaint
}

/** Limits of routing decisions for one network and for all: some tenths of a second, and a second or two. */
const EACH = 500_000
const ALL = 2_000_000
/** Larger networks are not started: a single destination may cost more than EACH. */
const MOST_CHANNELS = 4096

const known = new Map<string, QuickProof>()

/** Returns one proof for each network of these runs. Load, seed and traffic do not change the network. */
export function quickProofs(runs: readonly Proved[], folder: string): QuickProof[] {
  const found = new Map<string, QuickProof>()
  let left = ALL
  for (const run of runs) {
    const { spec } = run
    const key = keyOf(run, folder)
    if (found.has(key)) continue
    const before = known.get(key)
    if (before === undefined) {
      const made = quickProof(spec, folder, Math.min(EACH, left))
      if (made === undefined) continue
      // The budget is shared by all networks of a plan, so a sweep over many networks stays fast.
      left = Math.max(0, left - made.runs)
      known.set(key, made.proof)
    }
    found.set(key, known.get(key)!)
  }
  return [...found.values()]
}

type Proved = Pick<PlannedRun, "spec" | "files">

function keyOf({ spec, files }: Proved, folder: string): string {
  const { topology, routing, switch: sw } = spec.network
  return canonical({ topology, routing, sw, classes: classesOf(spec), files, plugins: spec.plugins ?? [], folder })
}

/**
 * Returns a complaint for each network that may deadlock and is not to be watched (`measure.deadlock`), with its place
 * in the file.
 */
export function deadlockComplaints(runs: readonly PlannedRun[], folder: string): Placed[] {
  quickProofs(runs, folder)
  const seen = new Set<string>()
  const found = new Map<string, Placed>()
  for (const run of runs) {
    if (run.spec.measure.deadlock === "watch") continue
    const key = keyOf(run, folder)
    if (seen.has(key)) continue
    seen.add(key)
    const refusal = known.get(key)?.refusal
    if (refusal === undefined) continue
    const placed = run.place(refusal)
    found.set(`${placed.file} ${placed.spot?.line} ${placed.spot?.column} ${placed.path} ${placed.says}`, placed)
  }
  return [...found.values()]
}

const AS_IT_IS = "to run it nevertheless, add --anyway or set measure.deadlock: watch"

/** Returns the refusal of a network: about the contradicting setting if there is one, or about the routing. */
function refusalOf(
  proof: Omit<QuickProof, "network">,
  wrong: readonly Needed[],
  routing: string,
): { readonly refusal?: Complaint } {
  const [first] = wrong
  if (proof.verdict === "free") return {}
  if (first !== undefined) {
    const { path, value, otherwise } = first
    return {
      refusal: complain(
        path,
        `"${routing}" can deadlock with this value: ${otherwise}`,
        `set it to ${value}, or remove it; ${AS_IT_IS}`,
      ),
    }
  }
  if (proof.verdict === "not decided") return {}
  const cure = proof.cure ?? "choose another routing"
  return {
    refusal: complain(
      "network.routing",
      `"${routing}" can deadlock on this network: ${proof.words[0]}`,
      `${cure}; ${AS_IT_IS}`,
    ),
  }
}

function quickProof(spec: RunSpec, folder: string, limit: number): { proof: QuickProof; runs: number } | undefined {
  const compiled = compileNetwork(spec.network, classesOf(spec), spec.seed, hostAt(folder, spec.plugins), true)
  // Errors of the network are reported elsewhere.
  if ("bad" in compiled) return undefined
  const network = networkName(spec.network, compiled.ok.vcsPerClass)
  const { asks } = compiled.ok
  const { routing } = asks.asking
  const wrong = contradicted(neededOf(routing, asks.switch, spec.network.switch), asks.switch, spec.network.switch)
  const told = (p: Omit<QuickProof, "network">): QuickProof => ({ network, ...p, ...refusalOf(p, wrong, routing.name) })
  const { chans } = compiled.ok.topology.graph
  // Proofs of large networks are left to `lacewing check`.
  if (limit === 0 || chans > MOST_CHANNELS) {
    const words = [
      limit === 0 ? "the limit of proofs per run is reached" : `${chans} channels are too many for a quick proof`,
    ]
    return { proof: told({ verdict: "not decided", words }), runs: 0 }
  }
  const declared = compiled.ok.boundRouting.vcs
  const subject = { ...subjectOf(compiled.ok), fold: compiled.ok.vcsPerClass < declared }
  const proof = proved(subject, limit)
  if ("says" in proof) return { proof: told({ verdict: "not decided", words: [proof.says] }), runs: 1 }
  return { proof: told(judged(proof, compiled.ok)), runs: Math.max(1, proof.walked.runs) }
}

/** Runs the proof. A custom routing may throw: that decides nothing. */
function proved(subject: Subject, limit: number): Proof | Complaint {
  try {
    return prove(subject, { hasty: true, budget: limit, limit })
  } catch (e) {
    const fault = faultOf(e)
    if (fault === undefined) throw e
    return fault
  }
}

function judged(proof: Proof, network: Network): Pick<QuickProof, "verdict" | "words" | "cure" | "lost"> {
  // A packet without a bound on its hops may arrive, so it is no reason for a warning.
  const fault = proof.faults.find((f) => f.kind !== "endless")
  if (fault !== undefined && proof.by !== "cycle") {
    const lost = tellFault(fault, network.topology)
    return { verdict: "not decided", words: [lost], lost }
  }
  if (proof.free) return { verdict: "free", words: [proof.words] }
  if (proof.by === "unproved") return { verdict: "not decided", words: [proof.words] }
  const circle = (proof.cycle ?? []).map((w) => edgeOf(w, proof, network.topology))
  const told = circle.map(
    (e) => `a packet from endpoint ${e.from} to endpoint ${e.to} holds ${e.holds} and waits for ${e.waitsFor}`,
  )
  return { verdict: "not free", words: [proof.words, ...told], ...cureOf(proof, network) }
}

/** Lines of one cyclic dependency: longer ones are cut, `lacewing check` shows all. */
const SHOWN = 6

function circleText({ network, words: [first, ...packets], cure }: QuickProof): string {
  const more = packets.length > SHOWN ? [`and ${packets.length - SHOWN} more packets, see lacewing check`] : []
  const lines = [first!, ...packets.slice(0, SHOWN), ...more, ...(cure === undefined ? [] : [`fix: ${cure}`])]
  return [`Can deadlock: ${network}`, ...lines.map((w) => `  ${w}`)].join("\n")
}

function lostText({ network }: QuickProof, lost: string): string {
  const fix = "fix: repair the routing, or give it the VCs that it requests; `lacewing check` explores every packet"
  return [`Some packets never arrive: ${network}`, lost, fix].join("\n  ")
}

/** Returns the messages before the run: one line for all deadlock-free networks, and a warning for each other one. */
export function proofLines(proofs: readonly QuickProof[]): { readonly warning: boolean; readonly text: string }[] {
  const lines = proofs.filter((p) => p.verdict === "not free").map((p) => ({ warning: true, text: circleText(p) }))
  for (const p of proofs) if (p.lost !== undefined) lines.push({ warning: true, text: lostText(p, p.lost) })
  const count = (verdict: QuickProof["verdict"]) => proofs.filter((p) => p.verdict === verdict && p.lost === undefined)
  const free = count("free")
  const open = count("not decided")
  const many = (list: readonly QuickProof[]) => (list.length === 1 ? list[0].network : `${list.length} networks`)
  if (free.length > 0) lines.push({ warning: false, text: `Deadlock-free: ${many(free)}` })
  if (open.length > 0)
    lines.push({
      warning: false,
      text: `Deadlock freedom not decided: ${many(open)} (${open[0].words[0]}; lacewing check explores more)`,
    })
  return lines
}
