// Figure 3.3: the fields of a CAM line, read from a line of an isolated port: after its allocation, and after its queue
// has grown.
import { definition, exactly, type Facts, type PaperFigure } from "../paper.ts"
import { cites } from "./network.ts"
import { HELD, portOf } from "./one-port.ts"

function inspect(): Facts {
  const port = portOf({ scheme: "fbicm-1" })
  for (let n = 0; n < 9; n++) port.arrive(0)
  const facts: Record<string, number> = {
    active: port.line("lineOn", 0),
    CP: port.line("linePoint", 0),
    hops: port.line("lineHops", 0),
    destList: port.lists()[0]?.length ?? 0,
    NextCAM: port.line("lineNext", 0),
  }
  for (let n = 0; n < 3; n++) port.arrive(0)
  return { ...facts, stop: port.line("lineState", 0) & 1 }
}

export default {
  id: "fbicm/fig3.3",
  number: "Figure 3.3",
  cites,
  title: "Fields of a CAM line",
  claim:
    "active, CP, hops and destList identify a point; NextCAM and the " +
    "Stop/Go fields control the flow; timer ends a line",
  inspect,
  rows: (_runs, _mode, read) => [
    exactly("active", 1, read("active")),
    exactly("CP: the congested output", HELD, read("CP")),
    exactly("hops", 0, read("hops"), "the point is here"),
    exactly(
      "destinations of destList, version 1",
      15,
      read("destList"),
      "all that the table sends that way: 16 leaves less the switch's own",
    ),
    exactly("NextCAM", 0, read("NextCAM"), "null: nothing behind the output"),
    exactly("Stop sent, with a queue above the threshold", 1, read("stop")),
    definition({
      claim: "bytes of a line without its list",
      paper: 6,
      value: 4 + 2,
      low: 6,
      high: 6,
      note: "4 of the timer, 2 of the others",
    }),
  ],
} satisfies PaperFigure
