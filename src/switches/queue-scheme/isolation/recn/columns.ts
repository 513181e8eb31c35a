// Columns of RECN in addition to those of CAM lines (../columns.ts): paths to congested points as lists of turns,
// counters that preserve packet order, and roots of congestion trees.
import { i32, u8, u16 } from "../../../../fabric/columns.ts"

/** Maximum number of turns of a path. Farther points are not propagated. One piece of a message holds all turns. */
export const TURNS = 16

export type TurnColumns = ReturnType<typeof turnColumns>

export function turnColumns(ports: number, radix: number, L: number) {
  const Q = 1 + L
  return {
    // [input line, turn], [output line, turn] -> output ports, starting at this router, and at the downstream router
    linePath: u8(ports * L * TURNS),
    outPath: u8(ports * L * TURNS),
    // [input, queue] -> packets that have ever joined and left it; [input line, queue] -> packets that must have left
    // that queue before the queue of the line may request its output
    joined: i32(ports * Q),
    left: i32(ports * Q),
    after: i32(ports * L * Q),
    // [input, output] -> packets of the standard queue
    standing: u16(ports * radix),
    // [output] -> 1 if it is a congested point; [output line] -> number of linked input lines, cycle in which it is
    // released if there is none (0 = no timer)
    root: u8(ports),
    outLinks: u8(ports * L),
    outDue: i32(ports * L),
  }
}
