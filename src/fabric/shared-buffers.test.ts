import { describe, expect, test } from "vitest"
import { GraphBuilder } from "../model/graph.ts"
import { layOut } from "./layout.ts"
import { makeSharedBuffers, type SharedBufferSpec, sharedBufferRules } from "./shared-buffers.ts"

function sharedBuffersFor(spec: SharedBufferSpec) {
  const b = new GraphBuilder(2, 2, 2, { classes: ["end", "link"] })
  b.attach(0, 0, 0)
  b.attach(1, 1, 0)
  b.link(0, 1, 1, 1)
  const l = layOut(b.finish(), 2)
  const sharedBuffers = makeSharedBuffers(
    l,
    () => spec,
    () => spec,
    () => spec,
  )
  return {
    sharedBuffers,
    rules: sharedBufferRules(sharedBuffers, l.LV),
    vc: (port: number, v: number) => (port << l.LV) + v,
  }
}

describe("a DAMQ of 100 flits, 24 kept for each of two VCs", () => {
  const spec = { flits: 100, reserve: 24, reservedVcs: 3, cap: 52, part: 50 }
  test("one VC takes 24 + 52 = 76 while the other is empty, which still gets its 24", () => {
    const { rules, vc } = sharedBuffersFor(spec)
    rules.take(vc(1, 0), 24)
    rules.take(vc(1, 0), 48)
    expect(rules.fits(vc(1, 0), 4)).toBe(true)
    expect(rules.fits(vc(1, 0), 5)).toBe(false)
    rules.take(vc(1, 0), 4)
    expect(rules.fits(vc(1, 1), 24)).toBe(true)
    rules.take(vc(1, 1), 24)
    expect(rules.fits(vc(1, 1), 1)).toBe(false)
    rules.give(vc(1, 0), 48)
    // 48 of the 52 shared flits are free again
    expect([rules.fits(vc(1, 1), 48), rules.fits(vc(1, 1), 49)]).toEqual([true, false])
  })
  test("a packet of 24 flits does not enter where 23 are left", () => {
    const { rules, vc } = sharedBuffersFor({ flits: 47, reserve: 0, reservedVcs: 0, cap: 47, part: 0 })
    rules.take(vc(0, 0), 24)
    expect(rules.fits(vc(0, 0), 24)).toBe(false)
    expect(rules.fits(vc(0, 0), 23)).toBe(true)
  })
  test("a cap keeps the shared part from one VC alone", () => {
    const { rules, vc } = sharedBuffersFor({ ...spec, cap: 30 })
    rules.take(vc(1, 0), 54)
    expect(rules.fits(vc(1, 0), 1)).toBe(false)
    expect(rules.fits(vc(1, 1), 46)).toBe(true)
  })
  test("who holds less than 50 flits comes first; two that hold more, or less, are equal", () => {
    const { rules, vc } = sharedBuffersFor(spec)
    expect(rules.modest(1, 3)).toBe(3)
    rules.take(vc(1, 0), 49)
    expect(rules.modest(1, 3)).toBe(3)
    rules.take(vc(1, 0), 1)
    expect(rules.modest(1, 3)).toBe(2)
    // no other VC waits
    expect(rules.modest(1, 1)).toBe(1)
    rules.take(vc(1, 1), 50)
    expect(rules.modest(1, 3)).toBe(3)
  })
  test("a part of 0 flits: all are equal", () => {
    const { rules, vc } = sharedBuffersFor({ ...spec, part: 0 })
    rules.take(vc(1, 0), 76)
    expect(rules.modest(1, 3)).toBe(3)
  })
  test("take and give leave no trace, in any order", () => {
    const { rules, sharedBuffers, vc } = sharedBuffersFor(spec)
    for (const f of [10, 24, 5]) rules.take(vc(1, 0), f)
    for (const f of [24, 5, 10]) rules.give(vc(1, 0), f)
    expect(sharedBuffers.left[1]).toBe(52)
    expect(sharedBuffers.held[vc(1, 0)]).toBe(0)
  })
})
