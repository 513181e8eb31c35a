// Requests as traces name them (any number, given again once finished) and as programs do (small numbers of the rank's own).

/** Ids below this have their number in an array. */
const DENSE = 4096

export class Requests {
  /** [id] -> its number, or -1; those beyond */
  readonly #dense = new Int32Array(DENSE).fill(-1)
  readonly #others = new Map<number, number>()
  readonly #free: number[] = []
  #next = 0

  /** A number for the operation that the trace calls `id`; one that was not waited for is given up. */
  issue(id: number): number {
    this.forget(id)
    const slot = this.#free.pop() ?? this.#next++
    if (id >= 0 && id < DENSE) this.#dense[id] = slot
    else this.#others.set(id, slot)
    return slot
  }
  /** The number of a request that is under way. */
  get(id: number): number | undefined {
    const slot = this.slot(id)
    return slot < 0 ? undefined : slot
  }
  /** The same; -1: it is not. */
  slot(id: number): number {
    return id >= 0 && id < DENSE ? this.#dense[id]! : (this.#others.get(id) ?? -1)
  }
  /** Nobody will ask for it again. */
  forget(id: number): void {
    const slot = this.slot(id)
    if (slot < 0) return
    if (id >= 0 && id < DENSE) this.#dense[id] = -1
    else this.#others.delete(id)
    this.#free.push(slot)
  }
}
