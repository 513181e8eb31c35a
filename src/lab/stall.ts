// Why nothing moves.
import type { FlitEngine } from "../engines/flit/engine.ts"
import type { StopReason } from "../model/experiment.ts"

export function explainStall(engine: FlitEngine, cycles: number): { why: StopReason; explains: string } {
  return { why: "deadlock", explains: `no flit moved for ${cycles} cycles while ${engine.inFlight()} packets were on their way` }
}
