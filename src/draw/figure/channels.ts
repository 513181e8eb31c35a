// The load of every channel as a map: routers from left to right, their channels from top to bottom, classes of links
// together.
import type { Table } from "../../model/experiment.ts"
import type { CellsFigure, Fact } from "./figure.ts"

/**
 * More cells than this are too small to distinguish. Neighbouring routers then share a cell that shows their highest
 * load.
 */
const COLUMNS = 180

type Channel = {
  readonly chan: number
  readonly from: number
  /** name of the router that it leaves */
  readonly at: string
  readonly to: string
  readonly kind: string
  readonly load: number
}

export function channelsOf(table: Table): Channel[] {
  const column = (name: string): readonly (string | number)[] => table[name] ?? []
  const [chan, from, at, to, kind, load] = ["chan", "from", "at", "to", "class", "load"].map(column) as (readonly (
    | string
    | number
  )[])[]
  const routers = new Map<string | number, number>()
  const numberOf = (r: string | number): number => {
    if (typeof r === "number") return r
    if (!routers.has(r)) routers.set(r, routers.size)
    return routers.get(r)!
  }
  return load!.map((l, i) => ({
    chan: Number(chan![i] ?? i),
    from: numberOf(from![i] ?? 0),
    at: String(at![i] ?? ""),
    to: String(to![i] ?? ""),
    kind: String(kind![i] ?? ""),
    load: Number(l),
  }))
}

export function channelCells(table: Table, id: string, title: string): CellsFigure | undefined {
  const channels = channelsOf(table)
  if (channels.length === 0) return undefined
  const routers = Math.max(...channels.map((c) => c.from)) + 1
  const merge = Math.ceil(routers / COLUMNS)
  const kinds = [...new Set(channels.map((c) => c.kind))]
  const bands: { row: number; name: string }[] = []
  let row = 0
  const cells = new Map<string, CellsFigure["cells"][number]>()
  for (const kind of kinds) {
    bands.push({ row, name: kind })
    const used = new Map<number, number>()
    for (const c of channels) {
      if (c.kind !== kind) continue
      const port = used.get(c.from) ?? 0
      used.set(c.from, port + 1)
      const at = { x: Math.floor(c.from / merge), y: row + port }
      const key = `${at.x},${at.y}`
      const old = cells.get(key)
      if (old === undefined || old.value < c.load) cells.set(key, { ...at, value: c.load, facts: facts(c) })
    }
    row += Math.max(...used.values())
  }
  const shared = merge > 1 ? ` Each cell is the busiest of ${merge} neighbouring routers.` : ""
  return {
    kind: "cells",
    id,
    title,
    caption: `One column per router, one row per channel of the router.${shared}`,
    x: { label: merge > 1 ? `Router (in steps of ${merge})` : "Router" },
    y: { label: "Channels by class of link" },
    columns: Math.ceil(routers / merge),
    rows: row,
    unit: "load",
    max: Math.max(1, ...channels.map((c) => c.load)),
    cells: [...cells.values()],
    bands,
  }
}

function facts(c: Channel): Fact[] {
  return [
    ["channel", c.chan],
    ["from router", c.from],
    ["to", c.to],
    ["class", c.kind],
    ["load", c.load],
  ]
}
