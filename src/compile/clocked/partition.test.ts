import fc from "fast-check"
import { expect, test } from "vitest"
import { site } from "../../../test/support/site.ts"
import { partition } from "./partition.ts"

test("groups may have any numbers: whole groups stay together, and no partition is empty", () => {
  const numbers = fc.uniqueArray(fc.nat(5000), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(numbers, fc.nat(), (group, n) => {
      const parts = 1 + (n % group.length)
      const { topology } = site(group.length, { groups: group.length })
      const of = partition({ ...topology, group: Int32Array.from(group) }, parts)
      expect(new Set(of).size).toBe(parts)
      expect(Math.max(...of)).toBe(parts - 1)
      // in the order of their numbers
      const order = group.map((g, r) => [g, of[r]] as const).sort(([a], [b]) => a - b)
      expect(order.every(([, p], i) => i === 0 || p >= order[i - 1][1])).toBe(true)
    }),
  )
})
