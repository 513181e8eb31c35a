// A | B: another future from the same state, and where the two part.
import type { Saved } from "../../../src/run/pausable.ts"
import * as s from "../state.ts"
import { all, now, sideOf, trying } from "./common.ts"
import { openSide } from "./engines.ts"

/** B goes on from A's state with what is changed; where that makes another machine (a failed link, another routing with words of its own), it runs from its start. */
export async function branch(set: readonly string[]): Promise<void> {
  await trying("building B …", async () => {
    await all({ do: "pause" })
    s.running.value = false
    const cycle = now()
    const side = await openSide("B", s.run.value, set, cycle)
    for (const old of s.sides.value) if (old.name === "B") old.engine.close()
    s.sides.value = [...s.sides.value.filter((x) => x.name === "A"), side]
    const state = await sideOf("A")!.engine.ask<Saved>({ do: "state" })
    try {
      await side.engine.ask({ do: "adopt", saved: state })
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

/** The first cycle at which A and B differ, found by halving: both can be set to any cycle. */
export async function firstDifference(): Promise<void> {
  await trying("looking for the first difference …", async () => {
    const cycle = now()
    const differ = async (at: number) => {
      await all({ do: "seek", cycle: at })
      const [x, y] = await fingerprints()
      return x?.fingerprint !== y?.fingerprint
    }
    if (!(await differ(cycle))) {
      s.first.value = `A and B do not differ up to cycle ${cycle}`
      return
    }
    let [low, high] = [-1, cycle]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (await differ(middle)) high = middle
      else low = middle
    }
    await all({ do: "seek", cycle: high })
    const [x, y] = await Promise.all(s.sides.value.map((side) => side.engine.ask<typeof s.top.value>({ do: "top", count: 400 })))
    const names = new Set(y?.packets.map((p) => `${p.key} ${p.from} ${p.born}`))
    const odd = x?.packets.find((p) => !names.has(`${p.key} ${p.from} ${p.born}`)) ?? undefined
    const packet =
      odd === undefined
        ? ""
        : `; the first packet with another fate: from ${odd.from} to ${odd.to}, created in cycle ${Math.floor(odd.born)}`
    s.first.value = `A and B differ from cycle ${high} on${packet}`
  })
}
