import type { Plan } from "../experiment/plan.ts"
import type { About } from "./folder/manifest.ts"

/** What results say of where they come from. */
export function aboutOf(plan: Pick<Plan, "title" | "name" | "file" | "search" | "settled">): About {
  return { title: plan.title, experiment: plan.name, file: plan.file, search: plan.search, settled: plan.settled }
}
