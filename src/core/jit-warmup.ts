// Exercises code paths before a measured run, so that V8 does not recompile in the middle of it. V8 optimises for the
// calls and number types that it has observed. If optimised code meets a new one, V8 discards it, together with all
// code into which the same lines were inlined. It then continues in the interpreter and compiles again. That costs 5 to
// 20 ms each time, in runs that take 300 ms. Rare but certain events are therefore executed a few times beforehand,
// where they cost little and leave no state behind.

/** V8 takes no notes of a function's first calls. */
const CALLS = 64

/** Does it so often that V8 has seen it. */
export function warmUpJit(act: () => void): void {
  for (let i = 0; i < CALLS; i++) act()
}
