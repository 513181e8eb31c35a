// State of RECN beside that of CAM lines (../columns.ts): ways to congested points as lists of turns, marks that keep order, roots.
import { i32, u8, u16 } from "../../../../fabric/columns.ts"

/** Turns of a way: points farther away are not told of. A piece of a message holds them all. */
export const TURNS = 16

export type TurnColumns = ReturnType<typeof turnColumns>

export function turnColumns(ports: number, radix: number, L: number) {
  const Q = 1 + L
  return {
    // [input line, turn], [output line, turn] -> output ports, from this router on; from the router behind the link on
    linePath: u8(ports * L * TURNS),
    outPath: u8(ports * L * TURNS),
    // [input, queue] -> packets that ever joined and left it; [input line, queue] -> packets that must have left that queue before the line's own may ask
    joined: i32(ports * Q),
    left: i32(ports * Q),
    after: i32(ports * L * Q),
    // [input, output] -> packets of the standard queue
    standing: u16(ports * radix),
    // [output] -> 1 if it is a congested point; [output line] -> input lines linked to it, the cycle in which it is given back if none is (0 = it is not)
    root: u8(ports),
    outLinks: u8(ports * L),
    outDue: i32(ports * L),
  }
}
