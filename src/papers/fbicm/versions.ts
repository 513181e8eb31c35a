// The two versions of FBICM side by side: bytes of their messages, and what they carry.

import { type Mode, type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { meanOf } from "../stashing/runs.ts"
import { during, eventFigures, having, plansOf } from "./events.ts"
import { cites, type SchemeName } from "./network.ts"

function rowsOf(all: PaperRuns, mode: Mode, first: SchemeName): Row[] {
  const runs = all["single"] ?? []
  const bytes = (name: string) => meanOf(having(runs, name), "isolation.flits")
  return [
    within({
      claim: "bytes of messages, version 2 over version 1",
      paper: "less than 1",
      value: bytes("FBICM") / bytes(first),
      low: 0,
      high: 1 - Number.EPSILON,
      note: `${bytes("FBICM").toFixed(0)} and ${bytes(first).toFixed(0)} bytes`,
    }),
    within({
      claim: "throughput during the event, version 2 over version 1",
      paper: "equal",
      value: during(runs, "FBICM", mode) / during(runs, first, mode),
      low: 0.97,
      high: 1.03,
      note: "within 3 %",
    }),
  ]
}

/** `first`: version 1 as it is read. */
export function versionsFigure(id: string, title: string, first: SchemeName): PaperFigure {
  const names: readonly SchemeName[] = ["FBICM", first]
  return {
    ...{ id, number: "Section 3.3", cites, title },
    claim: "version 1 spends much of the links on messages that carry whole lines; version 2 carries as much with less",
    ...plansOf("single", 3, names),
    rows: (all, mode) => rowsOf(all, mode, first),
    figures: (runs) => eventFigures(runs["single"] ?? [], names),
  }
}
