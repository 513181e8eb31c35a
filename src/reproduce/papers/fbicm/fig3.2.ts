// Figure 3.2: the memory of an input port: one queue for flows that are not congested, one for each line of the CAM for
// those that are.
import { exactly, type Facts, type PaperFigure } from "../paper.ts"
import { cites } from "./network.ts"
import { portOf } from "./one-port.ts"

/** one destination in each list, so that each has a line of its own */
const destinations = Array.from({ length: 12 }, (_, i) => (i < 4 ? 4 * i : 4 * i + 16))

function inspect(): Facts {
  const port = portOf({ list: 1 })
  for (let n = 0; n < 10; n++) for (const d of destinations) port.arrive(d)
  return { queues: port.queues, memory: port.memory, lines: port.lists().length, most: port.port("most") }
}

export default {
  id: "fbicm/fig3.2",
  number: "Figure 3.2",
  cites,
  title: "Memory of an input port",
  claim: "one NFQ and a set of CFQs in RAM, one line of the CAM for each CFQ",
  inspect,
  rows: (_runs, _mode, read) => [
    exactly("queues of a port", 9, read("queues"), "1 NFQ and 8 CFQs (section 5.1)"),
    exactly("bytes of memory", 8192, read("memory"), "8 KB (section 5.1)"),
    exactly(
      "lines that twelve congested destinations take",
      8,
      read("lines"),
      "one for each CFQ, with lists of one destination",
    ),
    exactly("most lines ever", 8, read("most")),
  ],
} satisfies PaperFigure
