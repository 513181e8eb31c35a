import fc from "fast-check"
import { expect, test } from "vitest"
import { makeFlows } from "./flows.ts"

const MOST = 5
const orders = fc.array(fc.tuple(fc.constantFrom("open", "close", "find"), fc.nat(1), fc.nat(12)), { maxLength: 120 })

test("is a map: as one of objects, whatever is opened and closed in which order", () => {
  fc.assert(
    fc.property(orders, (list) => {
      const flows = makeFlows(2, MOST, (n) => new Int32Array(n))
      const known = [new Map<number, number>(), new Map<number, number>()]
      for (const [what, e, to] of list) {
        const map = known[e]
        if (what === "open") {
          const row = flows.open(e, to)
          if (row < 0) expect([map.has(to), map.size]).toEqual([false, MOST])
          else {
            if (map.has(to)) expect(row).toBe(map.get(to))
            else expect([...map.values()]).not.toContain(row)
            map.set(to, row)
          }
        } else if (what === "close") {
          flows.close(e, to)
          map.delete(to)
        }
        for (let d = 0; d < 13; d++) expect(flows.find(e, d)).toBe(map.get(d) ?? -1)
        expect(flows.count(e)).toBe(map.size)
        for (const [d, row] of map) expect([flows.to(row), Math.floor(row / MOST)]).toEqual([d, e])
      }
    }),
  )
})

test("touches no more rows than flows were open at a time", () => {
  const flows = makeFlows(1, 100, (n) => new Int32Array(n))
  for (let to = 0; to < 10_000; to++) {
    flows.open(0, to)
    flows.open(0, to + 1)
    flows.close(0, to)
  }
  expect(flows.used(0)).toBe(2)
})
