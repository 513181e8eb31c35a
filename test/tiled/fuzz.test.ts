// Random small dragonflies of tiled switches, a few of those that scripts/fuzz-tiled.mjs goes through: nothing is lost,
// nothing is stuck, the audit is clean, and 1, 2 and 4 workers come to the same bits.
import { expect, test } from "vitest"
import { wrongWhenEmptied } from "../../src/inspect/contract/emptied.ts"
import { stashingSpec } from "../../src/reproduce/peers/matrix/stashing.ts"

test("half a dozen of them", () => {
  const all = Array.from({ length: 8 }, (_, i) => wrongWhenEmptied(stashingSpec(7, i), 400, 2000))
  expect(all.flatMap((says) => says ?? [])).toEqual([])
  expect(all.filter((says) => says !== undefined).length).toBeGreaterThanOrEqual(6)
})

test("one whose last acknowledgement waits for its link to repeat it is not empty before that", () => {
  expect(wrongWhenEmptied(stashingSpec(1, 425), 800, 2000)).toEqual([])
})
