// The one place that names the engines' front door: whoever runs something asks here for `prepare` and `simulate`.
import type { Executable } from "../experiment/gate.ts"
import type { Simulator } from "./options.ts"

/** `url`: another simulator, for tests. */
export async function loadSimulator(url?: Executable<"module">): Promise<Simulator> {
  return url === undefined ? import("./simulate.ts") : import(url)
}
