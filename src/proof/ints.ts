/** A list of ints that grows by doubling. */
export class Ints {
  data: Int32Array
  n = 0
  constructor(capacity = 1024) {
    this.data = new Int32Array(capacity)
  }
  push(v: number): void {
    if (this.n === this.data.length) this.reserve(this.n + 1)
    this.data[this.n++] = v
  }
  reserve(capacity: number): void {
    if (capacity <= this.data.length) return
    const wider = new Int32Array(Math.max(capacity, 2 * this.data.length))
    wider.set(this.data.subarray(0, this.n))
    this.data = wider
  }
}
