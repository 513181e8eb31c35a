// A timer that may exceed 2^31 ms, after which Node's own timers fire immediately.

const LONGEST = 2 ** 31 - 1

/** Calls `done` once after `ms` milliseconds. Returns a function that cancels it. `longest`: for tests. */
export function after(ms: number, done: () => void, longest = LONGEST): () => void {
  let timer: NodeJS.Timeout
  const wait = (left: number) => {
    timer = setTimeout(() => (left > longest ? wait(left - longest) : done()), Math.min(left, longest))
  }
  wait(ms)
  return () => clearTimeout(timer)
}
