// The contract that switches, endpoints and congestion managements share.
import { describe, expect, test } from "vitest"
import { machinesWith, type Slot, wrongWith } from "./machines.ts"

/** Every plug-in of the slot in `count` random small networks: nothing is lost, the audit is clean, the network empties
 *  once its sources are off, 1, 2 and 4 workers come to the same bits, and so does a clocked machine that is copied in
 *  the middle. */
export function keepsWhatItIsGiven(slot: Slot, plugins: readonly { readonly name: string }[], count: number): void {
  describe.each(plugins.map((p) => p.name))(`${slot} %s`, (name) => {
    const specs = machinesWith(slot, name, count)
    test("the matrix draws it", () => expect(specs.length).toBe(count))
    test.each(specs.map((spec, i) => [i, spec] as const))("network %i keeps what it is given", (_, spec) => {
      expect(wrongWith(spec)).toEqual([])
    })
  })
}
