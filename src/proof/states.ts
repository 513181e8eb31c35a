// Packet states of one destination, interned: each state is a row of ints in one column and is found again by a hash
// table with open addressing. A walk visits millions of states, so this is far smaller and faster than a Map of
// objects.
import { Ints } from "./ints.ts"

export class States {
  /** ints of one state */
  readonly width: number
  readonly keys = new Ints(1 << 14)
  /** [state] -> the state from which it was first reached, -1 = injected */
  readonly parent = new Ints()
  /** the caller writes the state here that intern() looks up */
  readonly probe: Int32Array
  count = 0
  /** hash slot -> state + 1, 0 = free */
  private table = new Int32Array(1 << 14)

  constructor(width: number) {
    this.width = width
    this.probe = new Int32Array(width)
  }

  clear(): void {
    this.count = this.keys.n = this.parent.n = 0
    this.table.fill(0)
  }

  /** Returns the number of the state in `probe`, which is new if it was not seen before. */
  intern(parent: number): number {
    const { probe, width } = this
    if (2 * this.count >= this.table.length) this.grow()
    const { table } = this
    const { data } = this.keys
    const last = table.length - 1
    let slot = hash(probe, 0, width) & last
    for (;;) {
      const t = table[slot] - 1
      if (t < 0) break
      const base = t * width
      let k = 0
      while (k < width && data[base + k] === probe[k]) k++
      if (k === width) return t
      slot = (slot + 1) & last
    }
    const t = this.count++
    table[slot] = t + 1
    this.keys.reserve(this.keys.n + width)
    const capacity = this.keys.data
    for (let k = 0; k < width; k++) capacity[this.keys.n++] = probe[k]
    this.parent.push(parent)
    return t
  }

  /** Doubles the table. It stays at most half full, so that probing is short. */
  private grow(): void {
    const wider = new Int32Array(2 * this.table.length)
    const last = wider.length - 1
    for (let t = 0; t < this.count; t++) {
      let slot = hash(this.keys.data, t * this.width, this.width) & last
      while (wider[slot] !== 0) slot = (slot + 1) & last
      wider[slot] = t + 1
    }
    this.table = wider
  }
}

function hash(data: Int32Array, at: number, width: number): number {
  let h = 0
  for (let k = 0; k < width; k++) h = Math.imul(h ^ data[at + k], 0x9e3779b1) + (h >>> 15)
  return h ^ (h >>> 16)
}
