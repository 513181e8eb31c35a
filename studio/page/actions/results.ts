// Stored results, figures of papers, and the live run of a stored point.
import { experimentOfRun } from "../../../src/results/experiment-of-run.ts"
import type { ResultsRead } from "../../shared/planner.ts"
import { siteJson } from "../site.ts"
import * as s from "../state.ts"
import { plainPlanner, trying } from "./common.ts"
import { openExperiment } from "./experiment.ts"

export async function openResults(given: Readonly<Record<string, Uint8Array>>): Promise<void> {
  s.results.value = await trying("reading …", () => plainPlanner().ask<ResultsRead>({ do: "results", files: given }))
  if (s.results.value === undefined) return
  s.tab.value = "results"
  s.sheet.value = true
}

/** Reads the files of the shown results again. They stay as they are if the files cannot be read now. */
export async function refreshResults(given: Readonly<Record<string, Uint8Array>>): Promise<void> {
  s.results.value = await plainPlanner().ask<ResultsRead>({ do: "results", files: given })
}

/** Loads the list of figures of papers in their quick mode. */
export async function openPapers(): Promise<void> {
  s.papers.value = await trying("loading …", async () => siteJson("papers.json"))
}

/** Opens the run of a stored point: converts its specification to an experiment with one run. */
export async function openRow(row: ResultsRead["rows"][number]): Promise<void> {
  const point = Object.entries(row.point).map(([k, v]) => (typeof v === "number" ? `${k} ${v}` : v))
  const title = [s.results.value?.title, ...point].join(", ")
  await openExperiment(JSON.stringify({ title, ...experimentOfRun(row.spec) }, null, 2), "from-results.json")
}
