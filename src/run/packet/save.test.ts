// A simulation that is saved at a common time and goes on in a new machine makes the same deliveries, to the last bit, as one that was left alone.
import { describe, expect, it } from "vitest"
import { type PacketNetwork, packetMachine } from "../../compile/packet/machine.ts"
import { Draws } from "../../core/rng.ts"
import { FACT, hashOf } from "../../engines/packet/facts.ts"
import { EPOCH } from "../../engines/packet/memory.ts"
import type { PartState } from "../../engines/packet/state.ts"
import { codesEntries, codesNetwork } from "../../peers/codes/experiments.ts"
import type { Quirk } from "../../peers/codes/network.ts"
import { type CrewOptions, type Mode, PacketCrew, wholeBuckets } from "./run.ts"

function entry(id: string) {
  return codesEntries().find((e) => e.id === id)!
}

const threeRails = () =>
  codesNetwork({ ...entry("sf50_minimal_u0.9"), rails: 3, load: 2, select: "path" }, 5, new Set<Quirk>(["credits", "jitter"]))
const modes: readonly Mode[] = [{ sync: "sequential" }, { sync: "optimistic", workers: 2, optimism: { window: 500_000 } }]

/** Deliveries of a run of so many common times, put into a new machine (or into one that has run already) after those that `pauses` says. */
function story(n: PacketNetwork, mode: Mode, times: number, step: number, pauses: (time: number) => boolean, o: CrewOptions = {}) {
  const seen = { hash: 0, count: 0 }
  const drain = () => (rows: Int32Array, count: number) => {
    for (let i = 0; i < count; i++) seen.hash = (seen.hash + hashOf(rows, i * FACT.words)) | 0
    seen.count += count
  }
  let run = new PacketCrew(n, mode, drain, o)
  for (let i = 1; i <= times; i++) {
    run.advance(i * step)
    if (pauses(i)) run = new PacketCrew(n, mode, drain, { ...o, from: structuredClone(run.save()) })
  }
  return { ...seen, sent: run.sent().join(), waits: run.waits().join(), inUse: run.inUse(), pending: run.pending(), stats: run.stats() }
}

describe("a packet simulation goes on in a new machine", () => {
  const n = threeRails()
  for (const mode of modes)
    it(`${mode.sync}: the same deliveries, events, rollbacks and messages`, () => {
      const rng = new Draws(7)
      const truth = story(n, mode, 6, 180_000, () => false)
      expect(truth.count).toBeGreaterThan(100)
      expect(story(n, mode, 6, 180_000, () => rng.below(2) === 0)).toEqual(truth)
    })

  it("beyond an epoch of 2^30 ps", () => {
    const slow = { ...codesNetwork({ ...entry("sf50_adaptive_u0.7"), load: 0.0003 }, 1) }
    const truth = story(slow, { sync: "sequential" }, 3, EPOCH / 2.5, () => false)
    expect(truth.count).toBeGreaterThan(100)
    expect(story(slow, { sync: "sequential" }, 3, EPOCH / 2.5, () => true)).toEqual(truth)
  })

  it("also in one that has run already", () => {
    const seen: number[] = []
    const take = (rows: Int32Array, count: number) => {
      for (let i = 0; i < count; i++) seen.push(hashOf(rows, i * FACT.words))
    }
    const m = packetMachine(n, take)
    const to = (t: number) => {
      m.run(wholeBuckets(t, m.shift))
      m.flush()
    }
    m.start()
    to(300_000)
    const saved = m.save()
    seen.length = 0
    to(900_000)
    const first = [...seen]
    const after = m.save()
    m.restore(saved)
    seen.length = 0
    to(900_000)
    expect(first.length).toBeGreaterThan(50)
    expect(seen.join()).toBe(first.join())
    const text = ({ numbers, columns }: PartState) =>
      JSON.stringify([numbers, ...Object.entries(columns).map(([name, c]) => `${name} ${c.join()}`)])
    expect(text(m.save()) === text(after)).toBe(true)
  })

  it("copies what was used, not what there is room for", () => {
    const run = new PacketCrew(n, { sync: "sequential" }, () => () => undefined)
    run.advance(300_000)
    const bytes = Object.values(run.save().workers[0]!.machine.columns).reduce((sum, c) => sum + c.byteLength, 0)
    expect(bytes).toBeLessThan(run.bytes / 4)
  })

  it("is refused by a machine of another layout, which is named", () => {
    const saved = new PacketCrew(n, { sync: "sequential" }, () => () => undefined).save()
    const other = { ...n, records: 5000 }
    expect(() => new PacketCrew(other, { sync: "sequential" }, () => () => undefined, { from: saved })).toThrow(
      /^layout\.machine\.\w+ is \d+ in the saved state and \d+ here: go on with what it was saved under/,
    )
    expect(() => new PacketCrew(n, { sync: "windows", workers: 2 }, () => () => undefined, { from: saved })).toThrow(
      'layout.sync is "sequential" in the saved state and "windows" here',
    )
  })
})
