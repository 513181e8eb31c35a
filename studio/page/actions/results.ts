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

/** Loads the list of figures of papers in their quick mode. */
export async function openPapers(): Promise<void> {
  s.papers.value = await trying("loading …", async () => siteJson("papers.json"))
}

/** Opens the run of a stored point: converts its specification to an experiment with one run. */
export async function openRow(row: ResultsRead["rows"][number]): Promise<void> {
  await openExperiment(JSON.stringify(experimentOfRun(row.spec), null, 2), "from-results.json")
  s.tab.value = "run"
}
