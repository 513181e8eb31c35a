// Adaptive waiting of a worker thread for a change of a word in shared memory. A sleeping thread wakes up 50 to 100
// microseconds late, so a worker with its own core should poll. If there are fewer cores than workers, the awaited
// worker may need this core, so polling is harmful. Each worker adapts: an unsuccessful poll halves the next one, a
// successful poll extends it by an eighth. A group with more workers than cores polls only once, because some
// worker is always waiting for a core. packet/channels.ts and flit/worker-group.ts use it.

/** Polls before sleeping; each takes about 10 ns. */
const LONGEST_LOOK = 20_000
const SHORTEST_LOOK = 2000

export class SpinWait {
  private looks: number
  private readonly shortest: number

  /** `crowded`: there are more workers than cores. */
  constructor(crowded: boolean) {
    this.looks = crowded ? 1 : LONGEST_LOOK
    this.shortest = crowded ? 1 : SHORTEST_LOOK
  }

  /** Polls until word `at` differs from `value`, or word `call` changes. Returns false if neither happened. */
  look(words: Int32Array, at: number, value: number, call: number, heard: number): boolean {
    const { looks } = this
    for (let i = 0; i < looks; i++)
      if (Atomics.load(words, at) !== value || Atomics.load(words, call) !== heard) {
        this.looks = Math.min(LONGEST_LOOK, looks + (looks >> 3))
        return true
      }
    this.looks = Math.max(this.shortest, looks >> 1)
    return false
  }
}

/**
 * Sleeps until word `at` differs from `value`, for at most `ms`. Word `sleepers` counts sleeping threads, so that
 * `wake` can skip the notification.
 */
export function sleep(words: Int32Array, at: number, value: number, ms: number, sleepers: number): void {
  Atomics.add(words, sleepers, 1)
  Atomics.wait(words, at, value, ms)
  Atomics.sub(words, sleepers, 1)
}

/**
 * Wakes the threads that sleep on word `at`. A notification costs a microsecond even if no thread sleeps, so it is
 * skipped then.
 */
export function wake(words: Int32Array, at: number, sleepers: number): void {
  if (Atomics.load(words, sleepers) > 0) Atomics.notify(words, at)
}
