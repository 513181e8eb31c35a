// V8 compiles hot functions on a thread of its own, and the simulation goes on in slow code until that is done. A simulation has one core to
// itself, so it is better to compile there and at once: less CPU time in all (short runs 8 to 20 %), and no other run is disturbed.
import module from "node:module"

/** Options of a Node process that compiles on the thread that runs. Node 20 also waits three times as long before it does: by then a function has
 *  been nearly everywhere, and is seldom compiled a second time. Later versions have a compiler in between and no such number. */
export const compileHere: readonly string[] = [
  "--no-concurrent-recompilation",
  ...(process.versions.node.startsWith("20.") ? ["--interrupt-budget=200000"] : []),
]

/** The same for every thread started from now on; for a program that owns its process. */
export function threadsCompileHere(): void {
  // not imported: a thread or process that only keeps what it compiled would load it too, 3 ms
  const { setFlagsFromString } = process.getBuiltinModule("node:v8")
  for (const option of compileHere) setFlagsFromString(option)
}

/** From Node 22 on the compiled form of files that are loaded after this call is kept for the next process: in the folder for temporary files, or where
 *  NODE_COMPILE_CACHE says; NODE_DISABLE_COMPILE_CACHE=1 keeps nothing. A thread asks for itself. */
export function keepCompiled(): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown }
  enableCompileCache?.()
}
