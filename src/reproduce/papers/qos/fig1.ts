// Figure 1: the InfiniBand switch: one crossbar, a buffer for each input and output that all VLs share, ports of 12.5
// GB/s. Read off a switch of eight ports.
import { exactly, type Facts, type PaperFigure, within } from "../paper.ts"
import { cites, NS } from "./network.ts"
import { benchOf, crossings, stream } from "./one-switch.ts"

const PORTS = 8
const VLS = 7
const CYCLES = 9600

/** All VLs of all other ports want port 0, more than it has. */
function full() {
  const others = Array.from({ length: PORTS - 1 }, (_, i) => i + 1)
  const engine = benchOf(
    "infiniband",
    PORTS,
    Array.from({ length: VLS }, (_, c) => stream(`class ${c}`, others, 0, 32, c, 1 / VLS)),
  )
  engine.advance(6000)
  const before = engine.columns.endOut.reduce((a, b) => a + b, 0)
  // whole packets are counted: 300 of them
  engine.advance(6000 + CYCLES)
  const { sharedBuffers, layout: l } = engine
  const heldIn = (first: number, port: number) => {
    let sum = 0
    for (let v = 0; v < 1 << l.LV; v++) sum += sharedBuffers.held[first + (port << l.LV) + v]
    return sum
  }
  return {
    // flits of 64 bytes, in GB/s
    rate: ((engine.columns.endOut.reduce((a, b) => a + b, 0) - before) * 64) / (CYCLES * NS),
    output: 64 * heldIn(sharedBuffers.OUT, 0),
    // what endpoint 1 knows of the input behind it
    input: 64 * heldIn(l.NOV, 1),
  }
}

function inspect(): Facts {
  const took = crossings("infiniband", PORTS).filter((t) => !Number.isNaN(t))
  const { rate, input, output } = full()
  return { pairs: took.length, ways: new Set(took).size, rate, input, output }
}

export default {
  id: "qos/fig1",
  cites,
  title: "The InfiniBand switch",
  claim: "one crossbar joins all ports; each has an input and an output buffer that VLs share, and carries 12.5 GB/s",
  inspect,
  rows: (_runs, _mode, read) => [
    exactly("pairs of ports that a packet crosses, of 8 ports", PORTS * (PORTS - 1), read("pairs")),
    exactly("different times that this takes", 1, read("ways"), "a single crossbar: no pair is nearer than another"),
    within({ claim: "an output that all want (GB/s)", paper: 12.5, value: read("rate"), low: 12.49, high: 12.51 }),
    within({
      claim: "its buffer, when seven VLs want more (bytes)",
      paper: 114_688,
      value: read("output"),
      low: 114_688 - 2048,
      high: 114_688,
      note: "full but for less than a packet of 2,048 bytes, which leaves it",
    }),
    within({
      claim: "the input buffer of a port that waits for it (bytes)",
      paper: 114_688,
      value: read("input"),
      low: 114_688 - 2048,
      high: 114_688,
    }),
  ],
} satisfies PaperFigure
