// Counters of the tiled switch as values and tables: utilisation of its internal paths, and activity of the stash.
import type { Table } from "../../model/experiment.ts"
import { WORK } from "./columns.ts"
import type { SharedState } from "./shared-state.ts"

/** Returns a counter, summed over the partitions. */
function counted({ site, columns }: SharedState, what: number): number {
  let all = 0
  for (let p = 0; p < site.layout.parts; p++) all += columns.work[p * WORK.width + what]
  return all
}

/** Returns the number of copies that wait for an acknowledgement, in a pool or on the path to it. */
export function copiesIn(sharedState: SharedState): number {
  return counted(sharedState, WORK.copied) - counted(sharedState, WORK.deleted)
}

/** Returns the values. Utilisation = flits moved / (paths * core steps). */
export function reportValues(sharedState: SharedState, cycles: number): Record<string, number> {
  const { site, k, columns, options, tables } = sharedState
  const { layout: l } = site
  const g = k.geometry
  const steps = (cycles * options.clock.link) / options.clock.core
  const sum = (what: number) => counted(sharedState, what)
  const buses = l.graph.chans
  const channels = g.rows * buses
  const share = (flits: number, paths: number) => flits / (paths * steps)
  // Each flit at a multiplexer has crossed a row bus and a tile before. The storage path comes in addition.
  const moved = site.columns.flitHops.reduce((a, b) => a + b, 0)
  const tile = moved + sum(WORK.tileStorage)
  const values: Record<string, number> = {
    "switch.row.utilisation": share(moved + sum(WORK.absorbedFlits), buses),
    "switch.column.utilisation": share(tile, channels),
    "switch.mux.utilisation": share(moved, buses),
    "ecn.marked": sum(WORK.marked),
  }
  if (k.errors) Object.assign(values, { "errors.lost": sum(WORK.lost), "errors.damaged": sum(WORK.spoilt) })
  if (k.linkErrors) values["errors.relaunched"] = sum(WORK.relaunched)
  if (!k.stash) return values
  let pools = 0
  let ports = 0
  for (let q = 0; q < tables.pool.length; q++) {
    pools += tables.pool[q]
    if (tables.pool[q] > 0) ports++
  }
  let held = 0
  let peak = 0
  for (let r = 0; r < l.routers; r++) {
    held += columns.routerStash[r]
    peak = Math.max(peak, columns.stashPeak[r])
  }
  return {
    ...values,
    "stash.storage.utilisation": share(sum(WORK.storage), Math.max(1, ports)),
    "stash.retrieval.utilisation": share(sum(WORK.rowRetrieval), Math.max(1, ports)),
    "stash.column.share": sum(WORK.tileStorage) / Math.max(1, tile),
    "stash.pool.flits": pools / l.graph.routers,
    "stash.pool.utilisation": held / Math.max(1, pools),
    "stash.pool.peak": peak,
    "stash.absorbed": sum(WORK.absorbed),
    "stash.copied": sum(WORK.copied),
    "stash.deleted": sum(WORK.deleted),
    "stash.repeated": sum(WORK.repeated),
    "stash.stalled": sum(WORK.stalled),
    "stash.messages": sum(WORK.messages),
    "stash.unknown": sum(WORK.unknown),
    "stash.abandoned": sum(WORK.given),
    "stash.timeouts": sum(WORK.timedOut),
  }
}

/** Returns the largest stash of each router in each interval, for routers that used it; `time` is in cycles. */
export function reportTables(sharedState: SharedState): Record<string, Table> {
  const { site, k, columns } = sharedState
  if (!k.stash) return {}
  const { layout: l, constants } = site
  const time: number[] = []
  const router: number[] = []
  const flits: number[] = []
  for (let r = 0; r < l.routers; r++) {
    if (l.outerRouter[r] < 0 || columns.stashPeak[r] === 0) continue
    for (let i = 0; i < k.seriesLength; i++) {
      const most = columns.stashSeries[r * k.seriesLength + i]
      if (most === 0) continue
      time.push(i * constants.seriesInterval)
      router.push(l.outerRouter[r])
      flits.push(most)
    }
  }
  return { stash: { time, router, flits } }
}
