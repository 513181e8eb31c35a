// Geometry of a tiled switch: R x C tiles of I inputs and O outputs, with P = R * I = C * O ports. Input p drives the
// row bus of row floor(p / I), which all C tiles of the row receive. Output p is fed by column floor(p / O): one column
// channel from each of its R tiles, merged by an R-to-1 multiplexer.
import { type Complaint, complain } from "../../core/complaint.ts"

export interface Geometry {
  readonly ports: number
  readonly rows: number
  readonly columns: number
  readonly inputs: number
  readonly outputs: number
}

export function geometryOf(ports: number, rows: number, columns: number): Geometry {
  return { ports, rows, columns, inputs: ports / rows, outputs: ports / columns }
}

export function checkGeometry(ports: number, rows: number, columns: number): Complaint[] {
  const divisors = Array.from({ length: Math.min(ports, 32) }, (_, i) => i + 1).filter(
    (d) => ports % d === 0 && ports / d <= 32,
  )
  const bad: Complaint[] = []
  const fix = `choose one of ${divisors.join(", ")}`
  if (ports % rows !== 0) bad.push(complain("rows", `${ports} ports are not ${rows} rows of equal size`, fix))
  if (ports % columns !== 0)
    bad.push(complain("columns", `${ports} ports are not ${columns} columns of equal size`, fix))
  if (bad.length === 0 && ports / rows > 32)
    bad.push(complain("rows", `one tile has ${ports / rows} inputs`, `${fix} (at most 32 inputs)`))
  if (bad.length === 0 && ports / columns > 32)
    bad.push(complain("columns", `one tile has ${ports / columns} outputs`, `${fix} (at most 32 outputs)`))
  if (bad.length === 0 && rows * columns > 1024)
    bad.push(complain("rows", `there are ${rows * columns} tiles`, "choose fewer and larger tiles"))
  return bad
}

/** Row and tile input of an input port; column and tile output of an output port. */
export const rowOf = (g: Geometry, port: number): number => Math.floor(port / g.inputs)
export const slotOf = (g: Geometry, port: number): number => port % g.inputs
export const columnOf = (g: Geometry, port: number): number => Math.floor(port / g.outputs)
export const outputOf = (g: Geometry, port: number): number => port % g.outputs

/** Returns the number of column channels per port: the bandwidth inside the switch relative to its links. */
export const overprovision = (g: Geometry): number => (g.rows * g.columns * g.outputs) / g.ports
