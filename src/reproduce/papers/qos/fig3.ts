// Figure 3: a round of the deficit table as a trace of the scheduler itself. SL 0 has an entry of weight 3 and three
// messages of 2 credits, SL 1 has none.
import { exactly, type Facts, type PaperFigure } from "../paper.ts"
import { cites } from "./network.ts"
import { countersOf, deficitTable } from "./one-switch.ts"

function inspect(): Facts {
  const of = deficitTable(1, 2, "0:3,1:3")
  const sizes = Int32Array.of(2, 0)
  const created = new Int32Array(2)
  const accumulated = () => countersOf(of, 0).accumulated[0] / 64
  const facts: Record<string, number> = {}
  let left = 3
  for (let n = 1; left > 0; n++) {
    const queue = of.pick(0, 1, sizes, created, 0)
    if (queue !== 0) break
    facts[`before ${n}`] = accumulated()
    of.sent(0, queue, 2, 0)
    left--
    facts[`after ${n}`] = accumulated()
  }
  const last = of.pick(0, 0, sizes, created, 0)
  return { ...facts, left, last, deficit: countersOf(of, 0).deficits[0] }
}

export default {
  id: "qos/fig3",
  cites,
  title: "Two rounds of the deficit table",
  claim: "an entry of weight 3 sends one message of 2 credits, saves 1, and sends two in its next round",
  inspect,
  rows: (_runs, _mode, read) => [
    exactly("round N: accumulated weight before", 3, read("before 1")),
    exactly("round N: after one message", 1, read("after 1")),
    exactly(
      "round N + 1: accumulated weight before",
      4,
      read("before 2"),
      "3 and the 1 that was saved; SL 1 is passed over",
    ),
    exactly("round N + 1: after its first message", 2, read("after 2")),
    exactly("round N + 1: after its second", 0, read("after 3")),
    exactly("messages left", 0, read("left")),
    exactly("no queue is served then", -1, read("last")),
    exactly("deficit of SL 0 at the end", 0, read("deficit")),
  ],
} satisfies PaperFigure
