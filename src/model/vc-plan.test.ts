import { describe, expect, test } from "vitest"
import { dataVcs, divideVcs, planVcs } from "./vc-plan.ts"

describe("VC classes", () => {
  test("one class of data is the plain plan: all VCs, one level", () => {
    const plan = planVcs([0], 6)
    expect(plan).toMatchObject({ plain: true, vcs: 6, data: 1 })
    expect([...plan.levels]).toEqual([0b111111])
    expect([...plan.firstOf]).toEqual([0, 0, 0, 0, 0, 0])
    expect([...plan.wholeOf]).toEqual([0, 0, 0, 0, 0, 0])
  })
  test("two classes of data, then control on top and hot below: 2 + 2 + 1 + 1 VCs", () => {
    const plan = planVcs([0, 1], 2, [
      { name: "control", vcs: 1, priority: 9, direct: true },
      { name: "hot", vcs: 1, priority: -1, direct: true },
    ])
    expect(plan).toMatchObject({ plain: false, vcs: 6, data: 2 })
    expect([...plan.classOf]).toEqual([0, 0, 1, 1, 2, 3])
    expect([...plan.firstOf]).toEqual([0, 0, 2, 2, 4, 5])
    expect([...plan.priorityOf]).toEqual([0, 0, 1, 1, 9, -1])
    expect([...plan.levels]).toEqual([0b010000, 0b001100, 0b000011, 0b100000])
    expect([...plan.levelOf]).toEqual([2, 2, 1, 1, 0, 3])
    expect([...plan.wholeOf]).toEqual([0, 0, 0, 0, 0b010000, 0b100000])
  })
  test(
    "a direct class with another number of VCs than the routing was made for is " +
      "used whole, so that no mask leads into the next class",
    () => {
      const plan = planVcs([0], 4, [{ name: "control", vcs: 1, priority: 1, direct: true }])
      expect([...plan.wholeOf]).toEqual([0, 0, 0, 0, 0b10000])
    },
  )
  test("classes of one priority share a level", () => {
    expect([...planVcs([3, 3, 1], 1).levels]).toEqual([0b011, 0b100])
  })
  test("a direct class with fewer VCs than shortest paths need gets as many as a class of data", () => {
    const class_ = (name: string, vcs: number, direct: boolean) => ({ name, vcs, priority: 0, direct })
    const more = [class_("control", 1, true), class_("speculative", 4, false), class_("hot", 1, true)]
    const sizes = (vcs: number, classes: number, direct: number) => {
      const { own, perClass } = divideVcs(more, { vcs, classes, needs: 3, direct })
      return [perClass, ...own.map((c) => c.vcs)]
    }
    expect(sizes(20, 1, 1)).toEqual([14, 1, 4, 1])
    // 16 VCs are left for data, control and hot; one of them stays unused
    expect(sizes(20, 1, 2)).toEqual([5, 5, 4, 5])
    expect(sizes(20, 2, 2)).toEqual([4, 4, 4, 4])
    // too few VCs: as many as data needs, so that the complaint names the right number
    expect(sizes(6, 1, 2)).toEqual([0, 3, 4, 3])
  })
  test("what the protocol takes is not data's", () => {
    const more = [{ name: "control", vcs: 2, priority: 1, direct: true }]
    expect(dataVcs(6, more)).toBe(4)
    expect(dataVcs(6)).toBe(6)
  })
})
