// A file name and options in; a plan, or complaints with their places, out.
import { type Plan, type PlanOptions, plan } from "./plan.ts"
import { type ReadOptions, read } from "./read.ts"
import type { Placed } from "./source.ts"

export async function loadPlan(path: string, options: PlanOptions & ReadOptions = {}): Promise<{ ok: Plan } | { bad: Placed[] }> {
  const file = await read(path, options)
  return "bad" in file ? file : plan(file.ok, options)
}
