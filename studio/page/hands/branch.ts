// A | B: another future from the same state, and where the two part.
import type { State } from "../../shared/messages.ts"
import { type Fate, type Parted, type Placed, partingOf } from "../../shared/parting.ts"
import * as s from "../state.ts"
import { all, now, sideOf, trying } from "./common.ts"
import { openSide } from "./engines.ts"
import { look, pause } from "./time.ts"

/** B goes on from A's state with what is changed; where that makes another machine (a failed link, another routing with words of its own), it runs from its start. */
export async function branch(set: readonly string[]): Promise<void> {
  await trying("building B …", async () => {
    await all({ do: "pause" })
    s.running.value = false
    const cycle = now()
    const side = await openSide("B", s.run.value, set, cycle)
    for (const old of s.sides.value) if (old.name === "B") old.engine.close()
    s.sides.value = [...s.sides.value.filter((x) => x.name === "A"), side]
    const state = await sideOf("A")!.engine.ask<State>({ do: "state" })
    try {
      await side.engine.ask({ do: "adopt", state })
      s.said.value = `B goes on from A's state in cycle ${cycle}`
    } catch {
      await side.engine.ask({ do: "seek", cycle })
      s.said.value = `B is another machine than A, so it ran from its start to cycle ${cycle}`
    }
  })
}

export function closeB(): void {
  for (const old of s.sides.value) if (old.name === "B") old.engine.close()
  s.sides.value = s.sides.value.filter((x) => x.name === "A")
  const { B: _, ...rest } = s.pictures.value
  s.pictures.value = rest
  s.first.value = undefined
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
    fate: ({ key, from, born }, since) => engine.ask<Fate | undefined>({ do: "fate", name: { key, from, born }, since }),
  }
}

/** The first cycle at which A and B differ, and the first packet whose fate does. */
export async function firstDifference(): Promise<void> {
  await trying("looking for the first difference …", async () => {
    const [a, b] = [sideOf("A"), sideOf("B")]
    if (a === undefined || b === undefined) return
    if (s.running.value) await pause()
    const last = now()
    s.first.value = { last, parting: await partingOf(parted(a), parted(b), last) }
    await look()
  })
}
