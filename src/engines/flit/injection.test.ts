// Which VC an endpoint enters on: one turn for all, or BookSim2's turn for each stream with its replies.
import { expect, test } from "vitest"
import { engineOf } from "../../../test/support/machine.ts"

/** VCs of the packets that endpoint 0 of two sends, and whether each is a reply, in order. */
function entered(vc: "round-robin" | "booksim2"): { vc: number; reply: boolean }[] {
  const engine = engineOf({
    topology: { name: "crossbar", n: 2 },
    routing: { name: "any.shortest" },
    switch: { vcs: 6 },
    endpoint: { name: "simple", vc },
    traffic: [{ load: 0.3, reply: "1flits" }],
  })
  const { endIn, txVc, txStream } = engine.columns
  const seen: { vc: number; reply: boolean }[] = []
  let before = 0
  for (let t = 1; t <= 400; t++) {
    engine.advance(t)
    // two streams: requests and replies
    const sent = endIn[0] + endIn[1]
    if (sent > before) seen.push({ vc: txVc[0] & 7, reply: txStream[0] === 1 })
    before = sent
  }
  return seen
}

test("vc: booksim2 continues within a class, and restarts at its first VC after a packet of another class", () => {
  const packets = entered("booksim2")
  const changes = packets.slice(1).filter((p, i) => p.reply !== packets[i].reply).length
  expect(packets.length).toBeGreaterThan(150)
  expect(changes).toBeGreaterThan(20)
  expect(packets.length - changes).toBeGreaterThan(20)
  packets.slice(1).forEach((p, i) => {
    const last = packets[i]
    // three VCs for requests from 0 on, three for replies from 3 on; there are always credits
    const first = p.reply ? 3 : 0
    expect(p.vc).toBe(p.reply === last.reply ? first + ((last.vc - first + 1) % 3) : first)
  })
})

test("vc: round-robin continues after the last VC of either class", () => {
  const packets = entered("round-robin")
  packets.slice(1).forEach((p, i) => {
    const first = p.reply ? 3 : 0
    const next = (packets[i].vc + 1) % 6
    expect(p.vc).toBe(next >= first && next < first + 3 ? next : first)
  })
})
