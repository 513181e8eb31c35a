// A priority queue of events as a heap with four children per node. Four touch fewer cache lines per removal than two
// (A. LaMarca and R. E. Ladner, 1996). The order is total and does not depend on the order of insertion: time, then
// tie, then item. Two events that agree in all three are the same, so a run does not depend on how workers interleave.

export class Heap {
  private time: Float64Array
  private tie: Float64Array
  private item: Int32Array
  private n = 0

  constructor(capacity = 64) {
    this.time = new Float64Array(capacity)
    this.tie = new Float64Array(capacity)
    this.item = new Int32Array(capacity)
  }

  get size(): number {
    return this.n
  }
  /** of the first event; NaN when empty */
  get firstTime(): number {
    return this.n > 0 ? this.time[0] : Number.NaN
  }
  get firstTie(): number {
    return this.n > 0 ? this.tie[0] : Number.NaN
  }

  /** `time` and `tie` up to 2^53, `item` a 32-bit int. */
  push(time: number, tie: number, item: number): void {
    if (this.n === this.time.length) this.grow()
    const { time: times, tie: ties, item: items } = this
    let at = this.n++
    while (at > 0) {
      const up = (at - 1) >> 2
      const t = times[up]
      if (t < time || (t === time && (ties[up] < tie || (ties[up] === tie && items[up] <= item)))) break
      times[at] = t
      ties[at] = ties[up]
      items[at] = items[up]
      at = up
    }
    times[at] = time
    ties[at] = tie
    items[at] = item
  }

  /** Removes the first event and returns its item. Read `firstTime` before. */
  pop(): number {
    if (this.n === 0) throw new Error("The heap is empty: check size first.")
    const { time: times, tie: ties, item: items } = this
    const first = items[0]
    const n = --this.n
    const time = times[n]
    const tie = ties[n]
    const item = items[n]
    let at = 0
    for (let child = 1; child < n; child = 4 * at + 1) {
      const end = Math.min(child + 4, n)
      let least = child
      for (let c = child + 1; c < end; c++) {
        const t = times[c]
        const l = times[least]
        if (t < l || (t === l && (ties[c] < ties[least] || (ties[c] === ties[least] && items[c] < items[least]))))
          least = c
      }
      const t = times[least]
      if (time < t || (time === t && (tie < ties[least] || (tie === ties[least] && item <= items[least])))) break
      times[at] = t
      ties[at] = ties[least]
      items[at] = items[least]
      at = least
    }
    times[at] = time
    ties[at] = tie
    items[at] = item
    return first
  }

  /** What waits, copied; and put back. */
  save(): { times: Float64Array; ties: Float64Array; items: Int32Array } {
    return { times: this.time.slice(0, this.n), ties: this.tie.slice(0, this.n), items: this.item.slice(0, this.n) }
  }
  restore({
    times,
    ties,
    items,
  }: {
    readonly times: Float64Array
    readonly ties: Float64Array
    readonly items: Int32Array
  }): void {
    this.n = 0
    for (let i = 0; i < times.length; i++) this.push(times[i], ties[i], items[i])
  }

  private grow(): void {
    const capacity = Math.max(64, this.time.length * 2)
    const time = new Float64Array(capacity)
    const tie = new Float64Array(capacity)
    const item = new Int32Array(capacity)
    time.set(this.time)
    tie.set(this.tie)
    item.set(this.item)
    this.time = time
    this.tie = tie
    this.item = item
  }
}
