// The one place that names the engines' front door: whoever runs something asks here for `prepare` and `simulate`.
import { totalmem } from "node:os"
import type { Checked } from "../core/complaint.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import { readIn } from "../experiment/user-file.ts"

export interface Host {
  /** the text of a file that the experiment names */
  read(path: string): string
  /** where its paths start from, if it has such a place */
  readonly folder?: string
  /** bytes that the machine has */
  readonly memory?: number
}

export interface SimulateOptions {
  onProgress?(fraction: number, text: string): void
  shouldStop?(): boolean
  /** workers for this one run; the result is the same for any number */
  workers?: number
  /** check that credits, buffers and packets are conserved while it runs */
  audit?: boolean
  /** false: workers take turns in this thread, as many as are asked for */
  threads?: boolean
  /** optimistic packet runs in one thread: undo every event once, compare all memory with what it was, and run it again */
  rehearse?: boolean
}

export interface Simulator<Prepared = unknown> {
  /** builds the network and checks what only the built network knows */
  prepare(spec: RunSpec, host: Host): Checked<Prepared>
  simulate(prepared: Prepared, options: SimulateOptions): Promise<RunResult>
}

/** `url`: another simulator, for tests. */
export async function loadSimulator(url?: string): Promise<Simulator> {
  return url === undefined ? import("./simulate.ts") : import(url)
}

/** Paths are relative to the folder of the experiment. */
export function hostAt(folder: string): Host {
  return { folder, read: readIn(folder), memory: totalmem() }
}
