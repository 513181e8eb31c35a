// Runs of the studio's engine, from the text of an experiment.
import type { RunSpec } from "../../src/model/experiment.ts"
import type { Live } from "../../studio/engine/live.ts"
import { openLive } from "../../studio/engine/open.ts"
import { planned } from "../../studio/planner/planner.ts"

export async function specOf(text: string, run = 0, set: readonly string[] = []): Promise<RunSpec> {
  const made = await planned(text, "experiment.yaml", {}, set)
  if ("bad" in made) throw new Error(JSON.stringify(made.bad))
  return made.ok.runs[run].spec
}

export async function live(text: string, run = 0, set: readonly string[] = []): Promise<Live> {
  const made = await openLive(await specOf(text, run, set), {})
  if ("bad" in made) throw new Error(made.bad.join("\n"))
  return made.ok.live
}
