// The experiment with exactly one run: a specification in the form of a file.
import type { RunSpec } from "../model/experiment.ts"

export function experimentOfRun({ network, engine, traffic, jobs, measure, probes, seed }: RunSpec): object {
  return {
    lacewing: 1,
    network,
    engine,
    // An empty list is refused: a run may have jobs alone.
    ...(traffic.length === 0 ? {} : { traffic }),
    ...(jobs === undefined ? {} : { jobs }),
    measure,
    probes,
    seeds: [seed],
  }
}

/** The studio has no picture of the ideal engine, and modules need consent. */
export function isShowable({ engine, plugins = [] }: RunSpec): boolean {
  return engine.name !== "ideal" && plugins.length === 0
}
