// A simulation that is saved at a common time and continues in a new machine makes the same deliveries, bit for bit, as
// one that was not interrupted.
import { describe, expect, it } from "vitest"
import { type PacketNetwork, packetMachine } from "../../compile/packet/machine.ts"
import { Draws } from "../../core/rng.ts"
import { hashOf, RECORD } from "../../engines/packet/delivery-records.ts"
import { EPOCH } from "../../engines/packet/memory.ts"
import type { PartState } from "../../engines/packet/state.ts"
import { codesEntries, codesNetwork } from "../../reproduce/peers/codes/experiments.ts"
import type { Quirk } from "../../reproduce/peers/codes/network.ts"
import { type Mode, PacketWorkers, type WorkersOptions, wholeBuckets } from "./run.ts"

function entry(id: string) {
  return codesEntries().find((e) => e.id === id)!
}

const threeRails = () =>
  codesNetwork(
    { ...entry("sf50_minimal_u0.9"), rails: 3, load: 2, select: "path" },
    5,
    new Set<Quirk>(["credits", "jitter"]),
  )
const modes: readonly Mode[] = [
  { sync: "sequential" },
  { sync: "optimistic", workers: 2, optimism: { window: 500_000 } },
]

/**
 * Returns the deliveries of a run of `times` common times. After each time that `pauses` selects, the state is moved to
 * a new machine.
 */
function story(
  n: PacketNetwork,
  mode: Mode,
  times: number,
  step: number,
  pauses: (time: number) => boolean,
  o: WorkersOptions = {},
) {
  const seen = { hash: 0, count: 0 }
  const drain = () => (rows: Int32Array, count: number) => {
    for (let i = 0; i < count; i++) seen.hash = (seen.hash + hashOf(rows, i * RECORD.words)) | 0
    seen.count += count
  }
  let run = new PacketWorkers(n, mode, drain, o)
  for (let i = 1; i <= times; i++) {
    run.advance(i * step)
    if (pauses(i)) run = new PacketWorkers(n, mode, drain, { ...o, from: structuredClone(run.save()) })
  }
  return {
    ...seen,
    sent: run.sent().join(),
    waits: run.waits().join(),
    inUse: run.inUse(),
    pending: run.pending(),
    stats: run.stats(),
  }
}

describe("a packet simulation continues in a new machine", () => {
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
      for (let i = 0; i < count; i++) seen.push(hashOf(rows, i * RECORD.words))
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

  it("copies the used memory, not the allocated memory", () => {
    const run = new PacketWorkers(n, { sync: "sequential" }, () => () => undefined)
    run.advance(300_000)
    const bytes = Object.values(run.save().workers[0].machine.columns).reduce((sum, c) => sum + c.byteLength, 0)
    expect(bytes).toBeLessThan(run.bytes / 4)
  })

  it("is refused by a machine of another layout, which is named", () => {
    const saved = new PacketWorkers(n, { sync: "sequential" }, () => () => undefined).save()
    const other = { ...n, records: 5000 }
    expect(() => new PacketWorkers(other, { sync: "sequential" }, () => () => undefined, { from: saved })).toThrow(
      /^layout\.machine\.\w+ is \d+ in the saved state and \d+ here; continue with the settings of the saved run/,
    )
    expect(() => new PacketWorkers(n, { sync: "windows", workers: 2 }, () => () => undefined, { from: saved })).toThrow(
      'layout.sync is "sequential" in the saved state and "windows" here',
    )
  })
})
