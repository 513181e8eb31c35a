// Congestion isolation: detection, lines, messages; order, conservation and release on small trees.
import { describe, expect, test } from "vitest"
import { CONTROL } from "../../src/fabric/flit.ts"
import type { Wish } from "../support/machine.ts"
import { schemeEngine } from "../support/queue-scheme.ts"

const hot: Wish = {
  topology: { name: "tree", k: 2, n: 3 },
  traffic: [
    { pattern: { name: "to-set", set: [4] }, from: ["1", "3", "5", "7"], load: 1, stop: "1500cycles" },
    { pattern: { name: "uniform" }, from: ["0", "2", "4", "6"], load: 0.9, stop: "2500cycles" },
  ],
}

describe("a hot spot comes and goes", () => {
  test.each([
    ["fbicm-2", {}],
    ["fbicm-1", {}],
    ["fbicm-2", { cascade: false, stopRule: "line" }],
    ["fbicm-2", { split: "static", credits: "nfq", list: 2, answer: false }],
    ["recn", {}],
  ])("%s %o: nothing is lost, all lines are free again", (scheme, more) => {
    const e = schemeEngine({ ...hot, switch: { scheme, memory: "512flits", detect: 4, stop: 4, go: 2, ...more } })
    for (let t = 100; t <= 8000; t += 100) {
      e.advance(t)
      expect(e.audit()).toEqual([])
    }
    e.columns.control[CONTROL.quiet] = 2500
    for (let i = 0; i < 100 && (e.busy || e.onLinks() > 0 || e.timersDue() > 0); i++) e.advance(e.now + 200)
    expect(e.audit()).toEqual([])
    expect(e.stat("delivered")).toBe(e.stat("created"))
    const values = e.extraValues()
    expect(values["isolation.born"]).toBeGreaterThan(4)
    expect(values["isolation.lines"]).toBe(0)
    expect(e.extraTables()["lines"]["router"]).toEqual([])
  })
})

describe("a flow that was taken for congested", () => {
  test.each([
    ["fbicm-2", {}],
    ["fbicm-1", {}],
    ["fbicm-2", { cascade: false, stopRule: "line", list: 1 }],
    ["recn", {}],
  ])("%s %o: is released while it goes on, and its packets are set aside no more", (scheme, more) => {
    // 0 and 1 fill the link to 3 for a while; then 0 has it for itself, and 3 was not its fault
    const e = schemeEngine({
      topology: { name: "crossbar", n: 4 },
      routing: { name: "crossbar.direct" },
      switch: { scheme, memory: "512flits", detect: 3, stop: 4, go: 2, timer: "8cycles", ...more },
      traffic: [
        { pattern: { name: "to-set", set: [3] }, from: ["0"], load: 0.3 },
        { pattern: { name: "to-set", set: [3] }, from: ["1"], load: 1, stop: "400cycles" },
      ],
    })
    e.advance(400)
    const allocated = e.extraValues()["isolation.born"]
    expect(allocated).toBeGreaterThan(0)
    e.advance(1500)
    expect(e.extraValues()["isolation.lines"]).toBe(0)
    const { "isolation.aside": aside, "isolation.born": all } = e.extraValues()
    const arrived = e.stat("delivered")
    e.advance(6000)
    expect(e.stat("delivered") - arrived).toBeGreaterThan(100)
    expect(e.extraValues()["isolation.aside"]).toBe(aside)
    expect(e.extraValues()["isolation.born"]).toBe(all)
    expect(e.audit()).toEqual([])
  })
})

describe("without detection", () => {
  test("the same bits as one queue", () => {
    const prints = [
      { scheme: "1q" },
      { scheme: "fbicm-2", detection: "off" },
      { scheme: "fbicm-1", detection: "off" },
      { scheme: "recn", detection: "off" },
    ].map((sw) => {
      const e = schemeEngine({ ...hot, switch: { memory: "256flits", ...sw } })
      e.advance(2000)
      expect(e.audit()).toEqual([])
      return `${e.fingerprint()} ${e.stat("delivered")}`
    })
    expect(new Set(prints).size).toBe(1)
  })
})
