// The modules of an experiment in the planner. They are executed only in a worker that is isolated, and with the
// consent of the reader.
import { complain } from "../../src/core/complaint.ts"
import { outsideInPage, pathsIn } from "../../src/experiment/outside/in-page.ts"
import type { LoadedModule } from "../../src/experiment/outside/module.ts"
import type { Placed } from "../../src/experiment/source.ts"
import type { ExperimentFile } from "../../src/experiment/text.ts"

/** Loads the modules that an experiment names, or complains about them in a worker that executes none. */
export async function outsideHere(file: ExperimentFile): Promise<{ ok: readonly LoadedModule[] } | { bad: Placed[] }> {
  const paths = pathsIn(file)
  if (paths.length === 0) return { ok: [] }
  if (Reflect.get(globalThis, "isolated") === true) return outsideInPage(file)
  const says = `${paths.join(", ")} contains code, which the studio executes only with your consent`
  return { bad: [{ file: file.name, ...complain("plugins", says, "allow the code, or leave it out") }] }
}
