// A simulation that is saved at a common time and goes on in a new machine makes the same deliveries, to the last bit, as one that was left alone.
import { describe, expect, it } from "vitest"
import type { PacketNetwork } from "../../compile/packet/machine.ts"
import { Draws } from "../../core/rng.ts"
import { FACT, hashOf } from "../../engines/packet/facts.ts"
import { codesEntries, codesNetwork, type Quirk } from "../../peers/codes/experiments.ts"
import { type CrewOptions, type Mode, PacketCrew } from "./run.ts"

function entry(id: string) {
  return codesEntries().find((e) => e.id === id)!
}

const networks: Record<string, () => PacketNetwork> = {
  "Slim Fly, adaptive": () => codesNetwork(entry("sf50_adaptive_u0.7"), 1),
  "Fit Fly, three rails, noise": () =>
    codesNetwork({ ...entry("sf50_minimal_u0.9"), rails: 3, load: 2, select: "path" }, 5, new Set<Quirk>(["credits", "jitter"])),
  "dragonfly, VCs in turn": () => codesNetwork(entry("dfd72_prog-adaptive_u0.7"), 2),
}
const modes: readonly Mode[] = [
  { sync: "sequential" },
  ...(["windows", "nulls", "optimistic"] as const).flatMap((sync) =>
    [1, 2, 3].map((workers) => ({ sync, workers, optimism: { window: 500_000 } })),
  ),
]
const STEPS = 12
const STEP = 150_000

/** Deliveries of a run of STEPS common times, put into a new machine after those that `pauses` says. */
function story(n: PacketNetwork, mode: Mode, pauses: (step: number) => boolean, o: CrewOptions = {}) {
  const seen = { hash: 0, count: 0 }
  const drain = () => (rows: Int32Array, count: number) => {
    for (let i = 0; i < count; i++) seen.hash = (seen.hash + hashOf(rows, i * FACT.words)) | 0
    seen.count += count
  }
  let run = new PacketCrew(n, mode, drain, o)
  for (let i = 1; i <= STEPS; i++) {
    run.advance(i * STEP)
    if (pauses(i)) run = new PacketCrew(n, mode, drain, { ...o, from: structuredClone(run.save()) })
  }
  const { waits: _, ...stats } = run.stats()
  return { ...seen, sent: run.sent(), waits: run.waits(), inUse: run.inUse(), pending: run.pending(), stats }
}

describe("a packet simulation goes on in a new machine", () => {
  for (const [name, network] of Object.entries(networks))
    for (const mode of modes)
      it(`${name}: ${mode.sync} on ${"workers" in mode ? mode.workers : 1}`, () => {
        const n = network()
        const rng = new Draws(7)
        const truth = story(n, mode, () => false)
        expect(truth.count).toBeGreaterThan(100)
        expect(story(n, mode, () => rng.below(3) === 0)).toEqual(truth)
      })
})
