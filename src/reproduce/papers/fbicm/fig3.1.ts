// Figure 3.1: an 8-port switch whose fifth port is requested by packets to 0 and 4. These destinations identify the
// congested point.
import { exactly, type Facts, type PaperFigure } from "../paper.ts"
import { cites } from "./network.ts"
import { HELD, portOf } from "./one-port.ts"

function inspect(): Facts {
  const port = portOf({})
  let allocated = 0
  for (let n = 1; n <= 12; n++) {
    port.arrive(n % 2 === 0 ? 4 : 0)
    if (allocated === 0 && port.lists().length > 0) allocated = n
  }
  // a packet to a neighbour, behind all of these
  port.arrive(17)
  const [list = []] = port.lists()
  return {
    "packet with which the point is found": allocated,
    lines: port.lists().length,
    destinations: list.length,
    first: list[0] ?? -1,
    second: list[1] ?? -1,
    output: port.line("lineOut", 0),
    "packets set aside": port.line("linePackets", 0),
    "packets left in the normal queue": port.port("normal"),
  }
}

export default {
  id: "fbicm/fig3.1",
  number: "Figure 3.1",
  cites,
  title: "Detection of a congested point",
  claim: "a queue that is too long gives away the output of its front; the point is named by the destinations 0 and 4",
  inspect,
  rows: (_runs, _mode, read) => [
    exactly(
      "the point is found with packet",
      9,
      read("packet with which the point is found"),
      "one more than the threshold of 8",
    ),
    exactly("lines", 1, read("lines"), "one congested point"),
    exactly("destinations that name it", 2, read("destinations")),
    exactly("the first", 0, read("first")),
    exactly("the second", 4, read("second")),
    exactly("port, counted from 1", 5, read("output") + 1, `P5; port ${HELD} counted from 0`),
    exactly("packets set aside", 12, read("packets set aside"), "all that came for it"),
    exactly(
      "packets left in the normal queue",
      0,
      read("packets left in the normal queue"),
      "the one to another port has passed",
    ),
  ],
} satisfies PaperFigure
