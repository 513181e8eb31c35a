// Brings the plug-ins that a run names. Here all are at hand; the bundle of the studio has another file in this place (scripts/studio.mjs), which loads them when
// they are named, so that a worker is small.
import type { RunSpec } from "../../src/model/experiment.ts"

export async function bring(_: RunSpec): Promise<void> {}
