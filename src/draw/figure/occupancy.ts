// How full every router was as a map: time from left to right, routers from top to bottom.
import type { Table } from "../../model/experiment.ts"
import type { CellsFigure } from "./figure.ts"
import { heatCells } from "./heat.ts"

export function occupancyCells(table: Table, id: string, title: string): CellsFigure | undefined {
  return heatCells(table, {
    id,
    title,
    caption: "Flits in the queues of each router at the end of each interval. Empty routers are blank.",
    x: { column: "time", label: "Time (cycles)" },
    y: { column: "router", label: "Router" },
    value: { column: "flits", label: "flits" },
  })
}
