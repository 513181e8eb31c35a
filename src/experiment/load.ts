// Reads an experiment and expands it into a plan, or returns complaints with their places in the file.
import type { Consent } from "./gate.ts"
import { outsideFor } from "./outside/load.ts"
import { type Plan, type PlanOptions, plan } from "./plan.ts"
import { read } from "./read.ts"
import type { Placed } from "./source.ts"

export async function loadPlan(
  path: string,
  options: PlanOptions & Consent = {},
): Promise<{ ok: Plan } | { bad: Placed[] }> {
  const file = await read(path, options)
  if ("bad" in file) return file
  const outside = await outsideFor(file.ok, options)
  return "bad" in outside ? outside : plan(file.ok, { ...options, outside: outside.ok })
}
