// Figure 4: the deficit table in the memory of InfiniBand's arbitration tables: 64 high entries are the table, 16 low
// ones the deficits, one the accumulated weight, each eight bits. The counters are those of a running switch; how many
// entries they leave is arithmetic.
import { MOST_ENTRIES, MOST_WEIGHT } from "../../../model/arbitration.ts"
import { definition, exactly, type Facts, type PaperFigure, within } from "../paper.ts"
import { cites, configuration } from "./network.ts"
import { countersOf, deficitTable } from "./one-switch.ts"

const SLS = 16

/** Counters of a scheduler for these numbers of outputs and SLs. */
function counters(rows: number, queues: number): { deficits: number; accumulators: number } {
  const scheduler = deficitTable(rows, queues, "0:2")
  const all = Array.from({ length: rows }, (_, row) => countersOf(scheduler, row))
  return {
    deficits: all.reduce((sum, of) => sum + of.deficits.length, 0),
    accumulators: all.reduce((sum, of) => sum + of.accumulated.length, 0),
  }
}

function inspect(): Facts {
  const ib = counters(1, SLS)
  const opa = counters(48, 32)
  const { levels } = configuration()
  const used = ib.deficits + ib.accumulators
  return {
    low: used,
    unused: MOST_ENTRIES - used,
    usable: 2 * MOST_ENTRIES - used,
    deficits: opa.deficits,
    accumulators: opa.accumulators,
    // an entry's weight and what was saved, which is less than a message
    most: Math.max(...levels.map((c) => Math.max(...c.weights) + c.level.mtu - 1)),
  }
}

export default {
  id: "qos/fig4",
  cites,
  title: "The deficit table in the arbitration tables of InfiniBand",
  claim: "64 high entries hold the table, 17 of the low ones its counters, 47 are left",
  inspect,
  rows: (_runs, _mode, read) => [
    exactly("counters of an output, 16 SLs", 17, read("low"), "16 deficits and one accumulated weight"),
    definition({
      claim: "low entries that are not used",
      paper: 47,
      value: read("unused"),
      low: 47,
      high: 47,
      note: "64 - 17",
    }),
    definition({
      claim: "entries that a table could have",
      paper: 111,
      value: read("usable"),
      low: 111,
      high: 111,
      note: "64 + 47",
    }),
    exactly("deficits of an Omni-Path switch, 48 ports and 32 SLs", 1536, read("deficits")),
    exactly("its accumulated weights", 48, read("accumulators")),
    within({
      claim: "largest accumulated weight with Table 4",
      paper: "could easily overflow",
      value: read("most"),
      low: 1,
      high: MOST_WEIGHT,
      note: "eight bits; an entry and less than one message that was saved",
    }),
  ],
} satisfies PaperFigure
