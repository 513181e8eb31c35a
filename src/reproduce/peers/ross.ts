// Runs ROSS' own PHOLD model, sequentially, for a row of the recorded table. bench/phold.ts calls it when the program
// is given.
import type { PholdParams } from "../../engines/packet/phold.ts"
import { PeerFailed, runPeer } from "./program.ts"

/** A row of the table of ROSS. */
export interface PholdRun extends PholdParams {
  /** units of time */
  readonly end: number
  readonly peerEvents: number
  readonly peerRate: number
  readonly peerMemory: number
}

export function rossArgs(p: PholdRun, end: number): string[] {
  const load = [
    `--nlp=${p.lps}`,
    `--start-events=${p.starts}`,
    `--remote=${p.remote}`,
    "--mean=1",
    `--lookahead=${p.lookahead}`,
  ]
  // memory for events
  return ["--synch=1", ...load, "--mult=3", `--end=${end}`]
}

export function rossEvents(out: string): number {
  return Number(/Net Events Processed\s+(\d+)/.exec(out)?.[1])
}

/** Events up to `end`, and user CPU seconds of the whole process. */
export function runRossPeer(
  program: string,
  p: PholdRun,
  end: number,
): { readonly events: number; readonly cpu: number } {
  const { cpu, out, last } = runPeer(program, rossArgs(p, end))
  const events = rossEvents(out)
  if (!(cpu >= 0 && events >= 0)) throw new PeerFailed(`PHOLD of ${p.lps} LPs: ROSS gave no result\n${last}`)
  return { events, cpu }
}
