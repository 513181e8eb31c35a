// Maps request handles of a trace (arbitrary numbers that the trace reuses) to the small request numbers of a program.

/** Handles below this value are looked up in an array, which is faster than a map. */
const DENSE = 4096

export class Requests {
  /** [handle] -> its request number, or -1; larger handles are in the map. */
  readonly #dense = new Int32Array(DENSE).fill(-1)
  readonly #others = new Map<number, number>()
  readonly #free: number[] = []
  #next = 0

  /**
   * Returns a request number for the operation with this handle. An earlier request with the same handle that was never
   * waited for is dropped.
   */
  issue(id: number): number {
    this.forget(id)
    const slot = this.#free.pop() ?? this.#next++
    if (id >= 0 && id < DENSE) this.#dense[id] = slot
    else this.#others.set(id, slot)
    return slot
  }
  /** Returns the number of a request in progress. */
  get(id: number): number | undefined {
    const slot = this.slot(id)
    return slot < 0 ? undefined : slot
  }
  /** The same, with -1 for none. */
  slot(id: number): number {
    return id >= 0 && id < DENSE ? this.#dense[id] : (this.#others.get(id) ?? -1)
  }
  /** Frees the number of a request, because no later operation refers to it. */
  forget(id: number): void {
    const slot = this.slot(id)
    if (slot < 0) return
    if (id >= 0 && id < DENSE) this.#dense[id] = -1
    else this.#others.delete(id)
    this.#free.push(slot)
  }
}
