// The probe `blocked`: it samples at the end of each interval which queues make no progress, and how far a saturation
// tree reaches. A queue is blocked if its head packet has been in the same router, for the same channel, for at least
// the number of cycles that the probe sets. A router is blocked by the next one if the head of a blocked queue has no
// credits for its channel. The sampler follows these dependencies upstream from one router, the root, breadth first.
// ClockedPort.advance calls `look`; the probe turns the log into tables (BlockedQueueLog).
//
// The resolution is one interval: `since` is the first sample in which a head packet was seen, not its arrival.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import type { BlockedQueueLog, BlockedQueueOptions } from "../../model/blocked-queues.ts"
import { columnIn, type Saved, type TypedArray } from "../saved.ts"

/**
 * A blocked queue: the channel and VC that its head packet requests, 1 if its destination is in the hot set, whether
 * the channel has credits, and its length in flits.
 */
interface Stands {
  readonly chan: number
  readonly vc: number
  readonly hot: number
  readonly hasCredits: boolean
  readonly flits: number
}

/** A head packet is identified by channel * KEYS + its 32-bit key, which is exact for up to 2^21 channels. */
const KEYS = 2 ** 32

export class BlockedQueueSampler {
  private readonly wish: BlockedQueueOptions
  private readonly hot: ReadonlySet<number>
  /** head packet -> cycle of the first sample that contained it */
  private since = new Map<number, number>()
  /** rows of 6: cycle, link class, VC, hot, queues, flits */
  private standing: number[] = []
  /** rows of 8: cycle, distance, link class, VC, hot, routers, queues, flits */
  private waits: number[] = []

  constructor(wish: BlockedQueueOptions) {
    this.wish = wish
    this.hot = new Set(wish.hot)
  }

  /** Samples all queues. Head packets that are no longer there drop out of `since`, because it is rebuilt each time. */
  look(engine: ClockedEngine): void {
    const { now, layout } = engine
    const { graph } = layout
    const seen = new Map<number, number>()
    const found: Stands[] = []
    engine.queues((chan, flits, _src, dst, hasCredits, vc, key) => {
      const front = chan * KEYS + (key >>> 0)
      const since = this.since.get(front) ?? now
      seen.set(front, since)
      if (now - since >= this.wish.cycles) found.push({ chan, vc, hot: this.hot.has(dst) ? 1 : 0, hasCredits, flits })
    })
    this.since = seen
    const kinds = new Rows(4, 2)
    for (const s of found) kinds.add([now, graph.linkClass[s.chan], s.vc, s.hot], [1, s.flits])
    kinds.into(this.standing)
    if (this.wish.router >= 0) outwards(graph, this.wish.router, found, now).into(this.waits)
  }

  log(): BlockedQueueLog {
    return { wish: this.wish, standing: this.standing, waits: this.waits }
  }

  /** Returns the state as columns. Maps are stored as alternating keys and values. */
  save(name: string): Record<string, TypedArray> {
    return {
      [`${name}.since`]: Float64Array.from([...this.since].flat()),
      [`${name}.standing`]: Float64Array.from(this.standing),
      [`${name}.waits`]: Float64Array.from(this.waits),
    }
  }

  resume(name: string, saved: Saved): void {
    const since = columnIn(saved, `${name}.since`, Float64Array)
    this.since = new Map(Array.from({ length: since.length / 2 }, (_, i) => [since[2 * i], since[2 * i + 1]]))
    this.standing = Array.from(columnIn(saved, `${name}.standing`, Float64Array))
    this.waits = Array.from(columnIn(saved, `${name}.waits`, Float64Array))
  }
}

/** The part of the graph that the search upstream needs. */
type Wires = {
  readonly linkClass: ArrayLike<number>
  readonly routerOf: ArrayLike<number>
  readonly far: ArrayLike<number>
}

/**
 * Returns the blocked queues that wait, directly or indirectly, for `root`, by their distance from it in routers.
 * Distance 0 holds the queues of the root for its own endpoints. Each router is expanded once, so a cyclic dependency
 * ends.
 */
function outwards({ linkClass, routerOf, far }: Wires, root: number, found: readonly Stands[], now: number): Rows {
  /** router -> blocked queues that wait for it; `own`: queues of the root for its endpoints */
  const waiting = new Map<number, Stands[]>()
  const own: Stands[] = []
  for (const s of found) {
    const next = far[s.chan]
    if (next < 0) {
      if (routerOf[s.chan] === root) own.push(s)
    } else if (!s.hasCredits) waiting.set(routerOf[next], [...(waiting.get(routerOf[next]) ?? []), s])
  }
  const rows = new Rows(5, 3)
  const add = (all: readonly Stands[], distance: number) => {
    const known = new Set<string>()
    for (const s of all) {
      const kind = [now, distance, linkClass[s.chan], s.vc, s.hot]
      const first = `${kind} ${routerOf[s.chan]}`
      // The column of routers counts a router once for each kind, although several of its queues may be blocked.
      rows.add(kind, [known.has(first) ? 0 : 1, 1, s.flits])
      known.add(first)
    }
  }
  add(own, 0)
  // Breadth-first search: `front` is the set of routers at distance - 1.
  const reached = new Set([root])
  for (let front = [root], distance = 1; front.length > 0; distance++) {
    const all = front.flatMap((r) => waiting.get(r) ?? [])
    add(all, distance)
    front = [...new Set(all.map((s) => routerOf[s.chan]))].filter((r) => !reached.has(r))
    for (const r of front) reached.add(r)
  }
  return rows
}

/**
 * Sums of values grouped by a key of several integers. `into` writes the groups in the order of their keys, so that the
 * result does not depend on the order in which partitions visit their queues.
 */
class Rows {
  private readonly keys: number
  private readonly sums: number
  private readonly all = new Map<string, number[]>()
  constructor(keys: number, sums: number) {
    this.keys = keys
    this.sums = sums
  }
  add(key: readonly number[], values: readonly number[]): void {
    const name = key.join()
    const row = this.all.get(name) ?? [...key, ...new Array<number>(this.sums).fill(0)]
    values.forEach((v, i) => {
      row[this.keys + i] += v
    })
    this.all.set(name, row)
  }
  into(list: number[]): void {
    const order = (a: readonly number[], b: readonly number[]): number => {
      for (let i = 0; i < this.keys; i++) if (a[i] !== b[i]) return a[i] - b[i]
      return 0
    }
    for (const row of [...this.all.values()].sort(order)) list.push(...row)
  }
}
