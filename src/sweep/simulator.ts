// The one place that loads the simulator, so that tests can replace it.
import type { Executable } from "../experiment/gate.ts"
import type { Simulator } from "../run/options.ts"

/** Loads `prepare` and `simulate`. `url`: another simulator, for tests. */
export async function loadSimulator(url?: Executable<"module">): Promise<Simulator> {
  return url === undefined ? import("../run/simulate.ts") : import(url)
}
