import { describe, expect, it } from "vitest"
import { GraphBuilder } from "../model/graph.ts"
import { type BufferSpec, creditRules, makeBuffers } from "./buffers.ts"
import { layOut } from "./layout.ts"

/** Two routers with one endpoint each; VC v of the link between them is output VC `link + v`. */
function channel(vcs: number, spec: BufferSpec) {
  const builder = new GraphBuilder(2, 2, 2, { classes: ["end", "link"] })
  builder.attach(0, 0, 0)
  builder.attach(1, 1, 0)
  builder.link(0, 1, 1, 1)
  const layout = layOut(builder.finish(), vcs)
  const buffers = makeBuffers(layout, spec)
  const rules = creditRules(layout, buffers, spec)
  const link = layout.slot[layout.graph.firstChan[0] + 1]
  /** flits that fit one after the other into VC v */
  const fill = (v: number): number => {
    let n = 0
    for (; rules.creditsOf(link + v) > 0; n++) rules.take(link + v)
    return n
  }
  return { rules, link, fill, buffers }
}

describe("private buffers", () => {
  it("each VC has its own 8 flits", () => {
    const { fill } = channel(2, { depth: 8, reserve: 8, total: 16 })
    expect([fill(0), fill(1), fill(0)]).toEqual([8, 8, 0])
  })
})

describe("a shared buffer with a reserve for each VC (DAMQ)", () => {
  // 100 flits, 24 kept for each of 2 VCs: one may hold its 24 and the 52 that are shared, the other still gets its 24
  const spec: BufferSpec = { depth: 76, reserve: 24, total: 100 }

  it("100 flits, reserve 24: 76 for the first, 24 for the second", () => {
    const { fill } = channel(2, spec)
    expect([fill(0), fill(1)]).toEqual([76, 24])
  })

  it("the credits of one VC shrink while another takes the shared part, and never below its reserve", () => {
    const { rules, link } = channel(2, spec)
    expect(rules.creditsOf(link + 1)).toBe(76)
    for (let i = 0; i < 24; i++) rules.take(link)
    expect(rules.creditsOf(link + 1)).toBe(76) // the first 24 are its own
    for (let i = 0; i < 10; i++) rules.take(link)
    expect(rules.creditsOf(link + 1)).toBe(66)
    for (let i = 0; i < 42; i++) rules.take(link)
    expect(rules.creditsOf(link + 1)).toBe(24)
    expect(rules.creditsOf(link)).toBe(0)
  })

  it("what comes back first refills the shared part, then the reserve", () => {
    const { rules, link, fill } = channel(2, spec)
    fill(0)
    fill(1)
    rules.give(link)
    expect([rules.creditsOf(link), rules.creditsOf(link + 1)]).toEqual([1, 1])
    rules.give(link + 1)
    expect([rules.creditsOf(link), rules.creditsOf(link + 1)]).toEqual([1, 2])
    for (let i = 0; i < 75; i++) rules.give(link)
    for (let i = 0; i < 23; i++) rules.give(link + 1)
    expect([rules.creditsOf(link), rules.creditsOf(link + 1)]).toEqual([76, 76])
  })

  it("ports do not share with one another", () => {
    const { rules, link, fill } = channel(2, spec)
    fill(0)
    expect(rules.creditsOf(link - 2)).toBe(76)
  })
})
