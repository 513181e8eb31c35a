// Requests as traces name them (any number, given again once finished) and as programs do (small numbers of the rank's own).

export class Requests {
  readonly #slots = new Map<number, number>()
  readonly #free: number[] = []
  #next = 0

  /** A number for the operation that the trace calls `id`; one that was not waited for is given up. */
  issue(id: number): number {
    this.forget(id)
    const slot = this.#free.pop() ?? this.#next++
    this.#slots.set(id, slot)
    return slot
  }
  /** The number of a request that is under way. */
  get(id: number): number | undefined {
    return this.#slots.get(id)
  }
  /** Nobody will ask for it again. */
  forget(id: number): void {
    const slot = this.#slots.get(id)
    if (slot === undefined) return
    this.#slots.delete(id)
    this.#free.push(slot)
  }
}
