// `eject`: the VC on the last link. All VCs are equally good there, because endpoints always drain.
import { expect, test } from "vitest"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { engineOf, one } from "../support/tiled.ts"

const INPUTS = [0, 1, 2, 3, 4, 5, 6]
const VCS = 6
/** Six packets of four flits for each VC and output. */
const ROW_BUFFER = 24

/** Mean part of the row buffers that is filled when seven inputs send to one output all the time. */
function filled(eject: string): number {
  const packet = { name: "fixed", size: "4flits" }
  const traffic = INPUTS.map((e) => stream(`s${e}`, 1, { pattern: { name: "to-set", set: [7] }, from: [e], packet }))
  const params = { vcs: VCS, rows: 1, columns: 1, rowBuffer: `${ROW_BUFFER}flits`, eject }
  const engine = engineOf(one(8, params, traffic), 1)
  let sum = 0
  for (let i = 1; i <= 20; i++) {
    engine.advance(2000 + 100 * i)
    sum += (engine.sw.columns["rowHeld"] as unknown as number[]).reduce((a, b) => a + b, 0)
  }
  expect(engine.audit()).toEqual([])
  return sum / 20 / (INPUTS.length * VCS * ROW_BUFFER)
}

test("a packet takes a free VC before its input waits, so that the row buffers of all VCs fill", () => {
  // one of seven inputs has just sent a packet of 4 of its 144 flits: 1 - 4 / 1008 at the least
  expect(filled("free")).toBeGreaterThan(0.99)
})
test("an input with drawn VCs waits for one full row buffer while others have space", () => {
  const part = filled("any")
  expect(part).toBeGreaterThan(1 / VCS)
  expect(part).toBeLessThan(0.9)
})
test("one VC fills only its own row buffers", () => {
  expect(filled("last")).toBeCloseTo(1 / VCS, 2)
})
