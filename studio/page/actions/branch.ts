// Branches A and B: a different future from the same state, and their first difference.

import { divergenceOf, type Fate, type Parted, type Placed } from "../../shared/divergence.ts"
import type { State } from "../../shared/messages.ts"
import * as s from "../state.ts"
import { all, now, sideOf, trying } from "./common.ts"
import { openSide } from "./engines.ts"
import { look, pause } from "./time.ts"

/**
 * Creates B. It continues from the state of A with the changed parameters. If the change makes a different machine (a
 * failed link, a routing with other state), B runs from cycle 0 instead.
 */
export async function branch(set: readonly string[]): Promise<void> {
  await trying("building B …", async () => {
    if (s.running.value) await pause()
    const cycle = now()
    s.story.value = undefined
    s.gain.value = ""
    const side = await openSide("B", s.run.value, set, cycle)
    for (const old of s.sides.value) if (old.name === "B") old.engine.close()
    s.sides.value = [...s.sides.value.filter((x) => x.name === "A"), side]
    // At cycle 0 the sources of A have already drawn their first packets with its load.
    if (cycle === 0) return
    const state = await sideOf("A")!.engine.ask<State>({ do: "state" })
    try {
      await side.engine.ask({ do: "adopt", state })
      s.said.value = `B continues from the state of A in cycle ${cycle}.`
    } catch {
      await side.engine.ask({ do: "seek", cycle })
      s.said.value = `This change affects the hardware, so B was simulated again from cycle 0 to cycle ${cycle}.`
    }
  })
}

export function closeB(): void {
  for (const old of s.sides.value) if (old.name === "B") old.engine.close()
  s.sides.value = s.sides.value.filter((x) => x.name === "A")
  const { B: _, ...rest } = s.pictures.value
  s.pictures.value = rest
  s.first.value = undefined
  s.gain.value = ""
}

export async function fingerprints(): Promise<readonly { cycle: number; fingerprint: string }[]> {
  return all<{ cycle: number; fingerprint: string }>({ do: "fingerprint" })
}

function parted({ name, engine }: s.Side): Parted {
  return {
    first: s.pictures.value[name]?.status.kept[0] ?? 0,
    seek: (cycle) => engine.ask({ do: "seek", cycle }),
    fingerprint: async () => (await engine.ask<{ fingerprint: string }>({ do: "fingerprint" })).fingerprint,
    places: () => engine.ask<readonly Placed[]>({ do: "places" }),
    fate: ({ key, from, createdAt }, since) =>
      engine.ask<Fate | undefined>({ do: "fate", name: { key, from, createdAt }, since }),
  }
}

/** Finds the first cycle in which A and B differ, and the first packet whose path differs. */
export async function firstDifference(): Promise<void> {
  await trying("searching for the first difference …", async () => {
    const [a, b] = [sideOf("A"), sideOf("B")]
    if (a === undefined || b === undefined) return
    if (s.running.value) await pause()
    const last = now()
    s.first.value = { last, parting: await divergenceOf(parted(a), parted(b), last) }
    await look()
  })
}
