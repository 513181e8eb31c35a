// Loads the plug-ins of a run. In the source tree all are already available. The bundle of the studio replaces this
// file (scripts/studio.mjs) by one that loads plug-ins on demand, so that the worker is small.
import type { RunSpec } from "../../src/model/experiment.ts"

export async function bring(_: RunSpec): Promise<void> {}
