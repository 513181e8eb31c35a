// What does not move, and what waits for what, at the end of every interval: a queue stands if its front has been in its router, on the way to the same
// channel, for as long as the wish says. A router waits for the next one if a standing front of it finds no room behind the channel that it asks for; these
// waits are followed backwards from one router, so that they show how far a tree of blocked queues reaches.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import type { StandingLog, StandingWish } from "../../model/standing.ts"
import { columnIn, type Saved, type TypedArray } from "../pausable.ts"

/** A standing queue: channel that its front asks for, VC, hot or not, room behind the channel; flits. */
interface Stands {
  readonly chan: number
  readonly vc: number
  readonly hot: number
  readonly room: boolean
  readonly flits: number
}

/** keys of fronts: a channel, and the 32 bits of a packet's own */
const KEYS = 2 ** 32

export class StandingLooks {
  private readonly wish: StandingWish
  private readonly hot: ReadonlySet<number>
  /** front -> cycle in which it was first seen there */
  private since = new Map<number, number>()
  private standing: number[] = []
  private waits: number[] = []

  constructor(wish: StandingWish) {
    this.wish = wish
    this.hot = new Set(wish.hot)
  }

  look(engine: ClockedEngine): void {
    const { now, layout } = engine
    const { graph } = layout
    const seen = new Map<number, number>()
    const found: Stands[] = []
    engine.queues((chan, flits, _src, dst, room, vc, key) => {
      const front = chan * KEYS + (key >>> 0)
      const since = this.since.get(front) ?? now
      seen.set(front, since)
      if (now - since >= this.wish.cycles) found.push({ chan, vc, hot: this.hot.has(dst) ? 1 : 0, room, flits })
    })
    this.since = seen
    const kinds = new Rows(4, 2)
    for (const s of found) kinds.add([now, graph.linkClass[s.chan]!, s.vc, s.hot], [1, s.flits])
    kinds.into(this.standing)
    if (this.wish.router >= 0) outwards(graph, this.wish.router, found, now).into(this.waits)
  }

  log(): StandingLog {
    return { wish: this.wish, standing: this.standing, waits: this.waits }
  }

  save(name: string): Record<string, TypedArray> {
    return {
      [`${name}.since`]: Float64Array.from([...this.since].flat()),
      [`${name}.standing`]: Float64Array.from(this.standing),
      [`${name}.waits`]: Float64Array.from(this.waits),
    }
  }

  resume(name: string, saved: Saved): void {
    const since = columnIn(saved, `${name}.since`, Float64Array)
    this.since = new Map(Array.from({ length: since.length / 2 }, (_, i) => [since[2 * i]!, since[2 * i + 1]!]))
    this.standing = Array.from(columnIn(saved, `${name}.standing`, Float64Array))
    this.waits = Array.from(columnIn(saved, `${name}.waits`, Float64Array))
  }
}

type Wires = { readonly linkClass: ArrayLike<number>; readonly routerOf: ArrayLike<number>; readonly far: ArrayLike<number> }

/** Standing queues that wait for `root`, in the end, by how many routers are between: 0 are those of the root for its own endpoints. */
function outwards({ linkClass, routerOf, far }: Wires, root: number, found: readonly Stands[], now: number): Rows {
  /** router -> standing queues that wait for it; the endpoints of the root are its own */
  const waiting = new Map<number, Stands[]>()
  const own: Stands[] = []
  for (const s of found) {
    const next = far[s.chan]!
    if (next < 0) {
      if (routerOf[s.chan] === root) own.push(s)
    } else if (!s.room) waiting.set(routerOf[next]!, [...(waiting.get(routerOf[next]!) ?? []), s])
  }
  const rows = new Rows(5, 3)
  const add = (all: readonly Stands[], distance: number) => {
    const known = new Set<string>()
    for (const s of all) {
      const kind = [now, distance, linkClass[s.chan]!, s.vc, s.hot]
      const first = `${kind} ${routerOf[s.chan]}`
      rows.add(kind, [known.has(first) ? 0 : 1, 1, s.flits])
      known.add(first)
    }
  }
  add(own, 0)
  const reached = new Set([root])
  for (let front = [root], distance = 1; front.length > 0; distance++) {
    const all = front.flatMap((r) => waiting.get(r) ?? [])
    add(all, distance)
    front = [...new Set(all.map((s) => routerOf[s.chan]!))].filter((r) => !reached.has(r))
    for (const r of front) reached.add(r)
  }
  return rows
}

/** Sums by key, in the order of the keys. */
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
      row[this.keys + i]! += v
    })
    this.all.set(name, row)
  }
  into(list: number[]): void {
    const order = (a: readonly number[], b: readonly number[]): number => {
      for (let i = 0; i < this.keys; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
      return 0
    }
    for (const row of [...this.all.values()].sort(order)) list.push(...row)
  }
}
