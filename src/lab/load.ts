// A file name and options in; a plan, or complaints with their places, out.
import { type Plan, type PlanOptions, plan } from "./experiment.ts"
import { read } from "./read.ts"
import type { Placed } from "./source.ts"

export async function loadPlan(path: string, options: PlanOptions = {}): Promise<{ ok: Plan } | { bad: Placed[] }> {
  const file = await read(path)
  return "bad" in file ? file : plan(file.ok, options)
}
