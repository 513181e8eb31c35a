// N senders to one endpoint under protocols that were made for other networks: each settles at its part of the channel.
import { describe, expect, test } from "vitest"
import { jain } from "../../src/core/stats.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { combinedEngine, drained } from "../support/combined.ts"
import { contention, incast, others } from "../support/contention.ts"

const senders = [0, 1, 2, 3]
const protocolOf = (name: string) => (name === "rccc uec" ? { name: "rccc", rules: "uec" } : { name })
const machine = (name: string, load: number, more = {}) =>
  contention(
    { ...protocolOf(name), ...more },
    [incast(senders, 4), ...(load > 0 ? [others(load, [...senders, 4])] : [])],
    {
      switch: { vcs: 5 },
    },
  )

describe.each(["dcqcn", "hpcc", "nscc", "rccc", "rccc uec"])("%s", (name) => {
  test("four senders have a quarter each, fairness 0.95 at least, and nine tenths of the channel are used", () => {
    const engine = combinedEngine(machine(name, 0))
    engine.advance(16_000)
    const before = Array.from(engine.columns.endIn)
    engine.advance(36_000)
    const rates = senders.map((e) => (engine.columns.endIn[e] - before[e]) / 20_000)
    expect(jain(rates)).toBeGreaterThan(0.95)
    expect(rates.reduce((a, b) => a + b, 0)).toBeGreaterThan(0.9)
    for (const rate of rates) expect(Math.abs(rate - 0.25)).toBeLessThan(0.075)
  })
  test(
    "1, 2 and 4 workers, and a copy in the middle: the same bits; when the " +
      "load stops, all arrives and nothing is left",
    () => {
      const wish = machine(
        name,
        0.3,
        name === "dcqcn" ? { kmin: "16flits", kmax: "64flits", hyper: 0.2, additive: 0.1 } : {},
      )
      const prints = [1, 2, 4].map((parts) => {
        let engine = combinedEngine(wish, parts)
        engine.columns.control[CONTROL.quiet] = 1500
        engine.advance(800)
        if (parts === 2) {
          const copy = combinedEngine(wish, parts)
          copy.restore(engine.snapshot())
          engine = copy
        }
        engine.advance(1500)
        expect(engine.audit()).toEqual([])
        expect(engine.extraValues()["control.packets"]).toBeGreaterThan(2)
        const middle = engine.fingerprint()
        drained(engine, 1000)
        engine.advance(engine.now + 20_000)
        expect(engine.stat("delivered")).toBe(engine.stat("created"))
        expect(engine.loop.protocol!.columns["open"].every((n) => n === 0)).toBe(true)
        expect(engine.standing()).toEqual({ underWay: 0, waiting: 0, onLinks: 0, timers: 0 })
        return `${middle} ${engine.fingerprint()}`
      })
      expect(new Set(prints).size).toBe(1)
    },
  )
})
