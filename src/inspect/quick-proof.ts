// Before cycle 0 of a run: is each of its networks free of deadlock? The same proof as that of `lacewing check`, with a bound on its effort, so that it says
// "free", "not free" with the circle, or "not decided". The run goes on whatever it says. What was proved once is not proved again while the program runs.

import { classesOf, compileNetwork } from "../compile/compile.ts"
import type { Network } from "../compile/network.ts"
import { subjectOf } from "../compile/subject.ts"
import { canonical } from "../core/canonical.ts"
import { hostAt } from "../experiment/disk/host.ts"
import type { PlannedRun } from "../experiment/plan.ts"
import type { RunSpec } from "../model/experiment.ts"
import { type Proof, prove } from "../proof/prove.ts"
import { edgeOf } from "./check-network.ts"
import { networkName } from "./check-plan.ts"

export interface QuickProof {
  /** topology, routing and VCs */
  readonly network: string
  readonly verdict: "free" | "not free" | "not decided"
  /** why, in sentences; the packets of the circle, if there is one */
  readonly words: readonly string[]
}

/** Routing decisions that one network may cost, and all together: some tenths of a second, and a second or two. */
const EACH = 500_000
const ALL = 2_000_000
/** Larger networks are not begun: a single destination may cost more than all of EACH. */
const MOST_CHANNELS = 4096

const known = new Map<string, QuickProof>()

/** One for each network of these runs: load, seed and traffic do not make another one. */
export function quickProofs(runs: readonly Pick<PlannedRun, "spec" | "files">[], folder: string): QuickProof[] {
  const found = new Map<string, QuickProof>()
  let left = ALL
  for (const { spec, files } of runs) {
    const { topology, routing, switch: sw } = spec.network
    const key = canonical({ topology, routing, sw, classes: classesOf(spec), files, folder })
    if (found.has(key)) continue
    const before = known.get(key)
    if (before === undefined) {
      const made = quickProof(spec, folder, Math.min(EACH, left))
      if (made === undefined) continue
      left = Math.max(0, left - made.runs)
      known.set(key, made.proof)
    }
    found.set(key, known.get(key)!)
  }
  return [...found.values()]
}

function quickProof(spec: RunSpec, folder: string, limit: number): { proof: QuickProof; runs: number } | undefined {
  const compiled = compileNetwork(spec.network, classesOf(spec), spec.seed, hostAt(folder), true)
  // what is wrong with it is complained about elsewhere
  if ("bad" in compiled) return undefined
  const network = networkName(spec.network, compiled.ok.vcsPerClass)
  const { chans } = compiled.ok.topology.graph
  if (limit === 0 || chans > MOST_CHANNELS) {
    const words = [limit === 0 ? "enough was proved for one run" : `${chans} channels are too many for a quick proof`]
    return { proof: { network, verdict: "not decided", words }, runs: 0 }
  }
  const declared = compiled.ok.routingPlugin.vcs(compiled.ok.routingParams as never, compiled.ok.topology as never)
  const subject = { ...subjectOf(compiled.ok), fold: compiled.ok.vcsPerClass < declared }
  const proof = prove(subject, { hasty: true, budget: limit, limit })
  return { proof: { network, ...judged(proof, compiled.ok) }, runs: Math.max(1, proof.walked.runs) }
}

function judged(proof: Proof, { topology }: Network): Pick<QuickProof, "verdict" | "words"> {
  if (proof.free) return { verdict: "free", words: [proof.words] }
  if (proof.by === "unproved") return { verdict: "not decided", words: [proof.words] }
  const circle = (proof.cycle ?? []).map((w) => edgeOf(w, proof, topology))
  const told = circle.map((e) => `a packet from endpoint ${e.from} to endpoint ${e.to} holds ${e.holds} and waits for ${e.waitsFor}`)
  return { verdict: "not free", words: [proof.words, ...told] }
}

/** What to say before the run: one line for all that are well, a warning with its circle for each that is not. */
export function proofLines(proofs: readonly QuickProof[]): { readonly warning: boolean; readonly text: string }[] {
  const lines = proofs
    .filter((p) => p.verdict === "not free")
    .map((p) => ({ warning: true, text: [`not free of deadlock: ${p.network}`, ...p.words.map((w) => `  ${w}`)].join("\n") }))
  const count = (verdict: QuickProof["verdict"]) => proofs.filter((p) => p.verdict === verdict)
  const free = count("free")
  const open = count("not decided")
  const many = (list: readonly QuickProof[]) => (list.length === 1 ? list[0]!.network : `${list.length} networks`)
  if (free.length > 0) lines.push({ warning: false, text: `free of deadlock: ${many(free)}` })
  if (open.length > 0)
    lines.push({
      warning: false,
      text: `not decided whether free of deadlock: ${many(open)} (${open[0]!.words[0]}; lacewing check takes longer)`,
    })
  return lines
}
