// V8 compiles what it has seen. When machine code comes to a call or a kind of number that was never seen before it was made, V8 throws it away, with all
// code that had the same lines compiled in, goes on slowly, and compiles again: 5 to 20 ms each time, of runs that take 300. So what is seldom but
// sure to come is done a few times beforehand, where it costs nothing and leaves nothing behind.

/** V8 takes no notes of a function's first calls. */
const CALLS = 64

/** Does it so often that V8 has seen it. */
export function seenBeforehand(act: () => void): void {
  for (let i = 0; i < CALLS; i++) act()
}
