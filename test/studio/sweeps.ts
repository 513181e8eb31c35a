// Small sweeps that the studio runs in each browser, and what Node makes of them.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { RunSpec } from "../../src/model/experiment.ts"
import { hostOf } from "../../src/model/host.ts"
import { prepare, simulate } from "../../src/run/open.ts"
import type * as actions from "../../studio/page/actions.ts"
import type * as state from "../../studio/page/state.ts"
import { planned } from "../../studio/planner/planner.ts"
import { root } from "../support/build.ts"

declare const studio: { readonly actions: typeof actions; readonly state: typeof state }

export const small = readFileSync(join(root, "experiments/first-curve/experiment.yaml"), "utf8")
  .split("expect:")[0]
  .replace(/load: \[.*\]/, "load: [0.1, 0.5]")
  .replace("limit: 20kcycles", "limit: 1kcycles")
  .replace("seeds: 3", "seeds: 1")
  .replace("[uniform, group-adversarial]", "[group-adversarial]")
export const texts = {
  "first-curve": small,
  combined: small.replace(/switch: .*/, "switch: { name: combined, vcs: 5 }").replace(/, dragonfly.ugal-l\]/, "]"),
  packet: `${small
    .replace(/ {2}switch: .*\n/, "")
    .replace(/, dragonfly.ugal-l\]/, "]")
    .replace("name: dragonfly.ugal-l", "name: dragonfly.minimal")}engine: packet\n`,
}

async function runsOf(text: string): Promise<readonly { readonly spec: RunSpec }[]> {
  const made = await planned(text, "e.yaml", {})
  if ("bad" in made) throw new Error(JSON.stringify(made.bad))
  return made.ok.runs
}
const known = new Map<string, string[]>()
/** The fingerprints of Node. */
export async function truthOf(text: string): Promise<string[]> {
  const before = known.get(text)
  if (before !== undefined) return before
  const found: string[] = []
  known.set(text, found)
  for (const { spec } of await runsOf(text)) {
    const prepared = prepare(spec, hostOf({}))
    if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
    found.push((await simulate(prepared.ok)).fingerprint)
  }
  return found
}

/** In the page: the experiment is opened and swept. */
export async function swept(text: string) {
  await studio.actions.openExperiment(text, "e.yaml")
  await studio.actions.sweep()
  const order = studio.state.planned.value!.runs.map((r) => r.hash)
  return {
    complaints: studio.state.complaints.value,
    trouble: studio.state.trouble.value,
    shared: studio.state.sides.value[0]?.opened.sharedMemory,
    bits: order.map((h) => studio.state.finished.value.find((f) => f.hash === h)?.result.fingerprint),
  }
}
