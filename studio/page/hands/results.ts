// Stored results, figures of papers, and the way from a stored point to its live run.
import type { ResultsRead } from "../../shared/desk.ts"
import * as s from "../state.ts"
import { atDesk, trying } from "./common.ts"
import { openExperiment } from "./experiment.ts"

export async function openResults(given: Readonly<Record<string, Uint8Array>>): Promise<void> {
  s.results.value = await trying("reading …", () => atDesk().ask<ResultsRead>({ do: "results", files: given }))
  if (s.results.value !== undefined) s.tab.value = "results"
}

/** Figures of papers, each in its quick form. */
export async function openPapers(): Promise<void> {
  s.papers.value = await trying("loading …", async () => (await fetch("papers.json")).json())
}

/** The run of a stored point, live: its specification as an experiment of one run. */
export async function openRow(row: ResultsRead["rows"][number]): Promise<void> {
  await openExperiment(JSON.stringify(experimentOf(row.spec), null, 2), "from-results.json")
  s.tab.value = "run"
}

function experimentOf({ network, engine, traffic, jobs, measure, probes, seed }: ResultsRead["rows"][number]["spec"]): object {
  return { lacewing: 1, network, engine, traffic, ...(jobs === undefined ? {} : { jobs }), measure, probes, seeds: [seed] }
}
