import { describe, expect, test } from "vitest"
import type { PacketNetwork } from "../../compile/packet/machine.ts"
import { GraphBuilder } from "../../model/graph.ts"
import { diagnosisOf } from "./watchdog.ts"

// Four routers in a ring, one endpoint each: port 0 the endpoint, 1 to the next, 2 back. Channel to the next of router
// r: 3 r + 1; two VCs, so slot 2 (3 r + 1) + vc.
function ring(): Pick<PacketNetwork, "topology" | "chunk"> {
  const b = new GraphBuilder(4, 4, 3, { classes: ["end", "link"] })
  for (let r = 0; r < 4; r++) b.attach(r, r, 0)
  for (let r = 0; r < 4; r++) b.link(r, 1, (r + 1) % 4, 2, 1)
  const topology = { name: "ring", graph: b.finish(), hops: () => 0, label: (r: number) => `r${r}` }
  // two chunks fit into a slot
  return { topology, chunk: { name: "chunk", chunk: 64, buffer: 128, vcs: 2 } as unknown as PacketNetwork["chunk"] }
}
const next = (r: number, vc = 0) => 2 * (3 * (r % 4) + 1) + vc
/** `count` chunks, the first of them from endpoint r to the one after next, that came to router r + 1 and wait for its
 *  channel to the next */
const waits = (r: number, count: number, vc = 0) => [next(r + 1, vc), next(r, vc), count, r, (r + 2) % 4]

describe("chunks that wait for credits", () => {
  test("a full ring of two chunks each on VC 1: its four slots hop by hop, whatever the order of the rows", () => {
    const rows = [0, 1, 2, 3].map((r) => waits(r, 2, 1))
    const d = diagnosisOf(ring(), Int32Array.from(rows.flat()), 100)
    expect(d.kind).toBe("deadlock")
    expect(d.words).toEqual([
      "deadlock: 4 packets wait for one another in a cycle; in total, 4 packets can never move again",
      "packet 1 of 4 from endpoint 0 to endpoint 2 holds r0 (port 1) -> r1 VC 1 and waits for r1 (port 1) -> r2 VC 1, held by packet 2",
      "packet 2 of 4 from endpoint 1 to endpoint 3 holds r1 (port 1) -> r2 VC 1 and waits for r2 (port 1) -> r3 VC 1, held by packet 3",
      "packet 3 of 4 from endpoint 2 to endpoint 0 holds r2 (port 1) -> r3 VC 1 and waits for r3 (port 1) -> r0 VC 1, held by packet 4",
      "packet 4 of 4 from endpoint 3 to endpoint 1 holds r3 (port 1) -> r0 VC 1 and waits for r0 (port 1) -> r1 VC 1, held by packet 1",
    ])
    expect(diagnosisOf(ring(), Int32Array.from(rows.toReversed().flat()), 100).words).toEqual(d.words)
  })
  test("one of its eight places is not taken by a chunk that waits: nothing is stuck", () => {
    const rows = [0, 1, 2, 3].map((r) => waits(r, r === 2 ? 1 : 2))
    expect(diagnosisOf(ring(), Int32Array.from(rows.flat()), 100).kind).toBe("stall")
  })
  test("a ring on each VC, one of them open: the other is named", () => {
    const rows = [0, 1, 2, 3].flatMap((r) => [waits(r, r === 2 ? 1 : 2, 0), waits(r, 2, 1)])
    const d = diagnosisOf(ring(), Int32Array.from(rows.flat()), 100)
    expect(d.words[0]).toBe(
      "deadlock: 4 packets wait for one another in a cycle; in total, 4 packets can never move again",
    )
    expect(d.words.slice(1).every((w) => w.includes("VC 1 and waits for") && !w.includes("VC 0"))).toBe(true)
  })
})
