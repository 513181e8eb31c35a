// Figures that probes declare (model/probe.ts): the table `figures` of a run names tables, columns and labels.
import type { Table } from "../../model/experiment.ts"
import type { Topology } from "../../model/topology.ts"
import type { BarsFigure, Figure, LinesFigure } from "./figure.ts"
import { type Heat, heatCells } from "./heat.ts"
import { declaredGraph } from "./network.ts"

/** More bars or lines than this are too many for a figure. */
const MOST_BARS = 60
const MOST_LINES = 12
/** More spots than this on a line are too close to distinguish. */
const MOST_SPOTS = 500

/**
 * Draws every figure that a run declares. `id` and `where` distinguish the lines of the report. `network` builds the
 * network of the run again, if that is possible.
 */
export function declaredFigures(
  tables: Readonly<Record<string, Table>>,
  id: string,
  where: string,
  network: () => Topology | undefined = () => undefined,
): Figure[] {
  const declared = tables["figures"] ?? {}
  return (declared["table"] ?? []).flatMap((_, i) => {
    const said = (column: string) => String(declared[column]?.[i] ?? "")
    const table = tables[said("table")]
    if (table === undefined) return []
    const figure: Declared = {
      id: `declared-${i}-${id}`,
      title: where === "" ? said("title") : `${said("title")}: ${where}`,
      caption: said("caption"),
      x: { column: said("x"), label: said("xLabel") },
      y: { column: said("y"), label: said("yLabel") },
      value: { column: said("value"), label: said("unit") },
      by: said("by"),
    }
    const drawn = drawnAs(said("kind"), table, figure, network)
    return drawn === undefined ? [] : [drawn]
  })
}

interface Declared extends Heat {
  /** column that distinguishes lines; empty: one line */
  readonly by: string
}

function drawnAs(kind: string, table: Table, f: Declared, network: () => Topology | undefined): Figure | undefined {
  if (kind === "heat") return heatCells(table, f)
  if (kind === "graph") return declaredGraph(table, f, network())
  if (kind === "bars") return bars(table, f)
  return kind === "lines" ? lines(table, f) : undefined
}

function bars(table: Table, { id, title, caption, x, y }: Declared): BarsFigure | undefined {
  const names = (table[x.column] ?? []).slice(0, MOST_BARS)
  if (names.length === 0) return undefined
  const rest = (table[x.column] ?? []).length - names.length
  return {
    kind: "bars",
    id,
    title,
    caption: rest > 0 ? `${caption} The first ${MOST_BARS} of ${names.length + rest} rows.` : caption,
    x: { label: y.label },
    bars: names.map((name, i) => {
      const value = Number(table[y.column]?.[i])
      return { name: `${x.label} ${name}`, value, facts: [[y.column, value]] }
    }),
  }
}

function lines(table: Table, { id, title, caption, x, y, by }: Declared): LinesFigure | undefined {
  const groups = new Map<string, { x: number; y: number }[]>()
  ;(table[x.column] ?? []).forEach((at, i) => {
    const name = by === "" ? y.label : String(table[by]?.[i] ?? "")
    const spots = groups.get(name) ?? []
    spots.push({ x: Number(at), y: Number(table[y.column]?.[i]) })
    groups.set(name, spots)
  })
  const drawn = [...groups].slice(0, MOST_LINES).map(([name, spots]) => {
    const known = spots.filter((s) => Number.isFinite(s.x) && Number.isFinite(s.y)).sort((a, b) => a.x - b.x)
    const every = Math.ceil(known.length / MOST_SPOTS)
    return { name, spots: known.filter((_, i) => i % every === 0) }
  })
  if (drawn.every((l) => l.spots.length === 0)) return undefined
  const rest = groups.size > MOST_LINES ? ` The first ${MOST_LINES} of ${groups.size} lines.` : ""
  return {
    kind: "lines",
    id,
    title,
    caption: `${caption}${rest}`,
    x: { label: x.label },
    y: { label: y.label },
    lines: drawn,
    markers: false,
  }
}
