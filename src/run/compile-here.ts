// Settings of V8 for simulations. V8 normally optimises hot functions on another thread, and the simulation continues
// in slow code until then. A simulation has one core for itself, so it is better to compile on the same thread
// immediately. That saves CPU time (8 to 20 % for short runs), and does not disturb other runs.
import module from "node:module"

/**
 * Options of a Node process that compiles on the thread that runs. On Node 20 they also triple the budget before
 * optimisation: by then a function has executed most of its paths, and is seldom optimised a second time. Later
 * versions have another compiler tier and no such option.
 */
export const compileHere: readonly string[] = [
  "--no-concurrent-recompilation",
  ...(process.versions.node.startsWith("20.") ? ["--interrupt-budget=200000"] : []),
]

/** Applies the same settings to every thread that is started later. Only for a program that owns its process. */
export function threadsCompileHere(): void {
  // node:v8 is not imported at the top, because threads that only use the compile cache would load it too (3 ms).
  const { setFlagsFromString } = process.getBuiltinModule("node:v8")
  for (const option of compileHere) setFlagsFromString(option)
}

/**
 * From Node 22 on, stores the compiled form of files that are loaded after this call, for the next process. The cache
 * is in the folder for temporary files, or in NODE_COMPILE_CACHE; NODE_DISABLE_COMPILE_CACHE=1 disables it. Each thread
 * must call this itself.
 */
export function keepCompiled(): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown }
  enableCompileCache?.()
}
