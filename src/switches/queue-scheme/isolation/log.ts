// Events of CAM lines, where a probe asks for them.
import type { TransferWires } from "../../../fabric/transfer.ts"
import { FACT } from "../../../model/facts.ts"
import type { Frame } from "../frame.ts"

export interface LineLog {
  readonly ON: boolean
  born(q: number, i: number, hops: number, output: number): void
  died(q: number, i: number, lived: number): void
  /** line i of output x stops, or goes on */
  gate(x: number, i: number, hops: number, stopped: boolean): void
}

export function makeLog({ site, ports }: Pick<Frame, "site" | "ports">, { fact }: Pick<TransferWires, "fact">): LineLog {
  const { outerRouter } = site.layout
  const { router, local } = ports
  const write = (kind: number, port: number, i: number, value: number): void => {
    if (fact !== undefined) fact(kind, outerRouter[router[port]!]!, local[port]! * 256 + i, value)
  }
  const { lineBorn, lineDied, lineStopped, lineGoes } = FACT
  return {
    ON: fact !== undefined,
    born: (q, i, hops, output) => write(lineBorn, q, i, hops * 256 + output),
    died: (q, i, lived) => write(lineDied, q, i, lived),
    gate: (x, i, hops, stopped) => write(stopped ? lineStopped : lineGoes, x, i, hops),
  }
}
