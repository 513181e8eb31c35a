// How a worker waits for another: until a word of shared memory changes. Whoever sleeps is called 50 to 100 microseconds late, so a worker with a core of
// its own should not; where there are fewer cores than workers, the one that is waited for may need this core. So each learns: one that looked in vain
// looks half as long the next time.

/** Looks before going to sleep, some 10 ns each. */
const LONGEST_LOOK = 20_000
const SHORTEST_LOOK = 2000

export class Patience {
  private looks = LONGEST_LOOK

  /** Looks until word `at` is not `value` any more, or word `call` not `heard`; false if that was in vain. */
  look(words: Int32Array, at: number, value: number, call: number, heard: number): boolean {
    const { looks } = this
    for (let i = 0; i < looks; i++)
      if (Atomics.load(words, at) !== value || Atomics.load(words, call) !== heard) {
        this.looks = Math.min(LONGEST_LOOK, looks + (looks >> 3))
        return true
      }
    this.looks = Math.max(SHORTEST_LOOK, looks >> 1)
    return false
  }
}

/** Sleeps until word `at` is not `value` any more, but no longer than `ms`. Word `sleepers` counts those who do, so that nobody is called in vain. */
export function sleep(words: Int32Array, at: number, value: number, ms: number, sleepers: number): void {
  Atomics.add(words, sleepers, 1)
  Atomics.wait(words, at, value, ms)
  Atomics.sub(words, sleepers, 1)
}

/** Calls those who sleep until word `at` changes; a call costs a microsecond, also where nobody sleeps. */
export function wake(words: Int32Array, at: number, sleepers: number): void {
  if (Atomics.load(words, sleepers) > 0) Atomics.notify(words, at)
}
