// Which line a packet belongs to: one that is linked to the line of its output that lists it, else, behind a normal queue that is too long, one of this
// switch's own congested output.
import { lowest } from "../../../../core/bitset.ts"
import type { Lines } from "../columns.ts"
import type { LineFrame } from "../home.ts"
import type { Cascade } from "./cascade.ts"
import type { LineBook } from "./lines.ts"

export interface Detection {
  /** the line + 1 that the front packet of the normal queue, which no line of input q owns, is to belong to; 0 = none */
  lineFor(q: number, d: number, o: number, t: number): number
}

export function makeDetection(frame: LineFrame, s: Lines, { add, born, inList }: LineBook, { linked }: Cascade): Detection {
  const low = lowest
  const { site, ports, p: params, table } = frame
  const { PS, outerRouter } = site.layout
  const { router } = ports
  const { L, W, N, lineOn, lineHops, lineOut, lineLength, outHops, outPoint, outList, owner, outOwner, outLines, normal, refused } = s
  const SHORT = params.scheme === "fbicm-2"
  const DETECT = params.detection === "off" ? Number.POSITIVE_INFINITY : (params.detect ?? 8)
  const LIST = SHORT ? (params.list ?? 8) : N
  const CASCADE = params.cascade ?? true

  function lineFor(q: number, d: number, o: number, t: number): number {
    const x = router[q]! * PS + o
    const y = outLines[x] === 0 ? 0 : outOwner[x * N + d]!
    if (y !== 0) {
      const found = joinLinked(q, d, o, y, x, t)
      if (found !== 0) return found
    }
    if (normal[q]! <= DETECT) return 0
    return SHORT ? detectShort(q, d, o, t) : detectWhole(q, o, t)
  }

  /** A line that is linked to the output's line y - 1, with d in its list. */
  function joinLinked(q: number, d: number, o: number, y: number, x: number, t: number): number {
    if (CASCADE) {
      const j = linked(q, o, y - 1)
      if (j >= 0 && inList(q * L + j, d)) {
        owner[q * N + d] = j + 1
        return j + 1
      }
      if (j >= 0 && add(q, j, d)) return j + 1
    }
    const far = x * L + y - 1
    const i = born(q, o, outHops[far]!, outPoint[far]!, y, t)
    if (i < 0) {
      refused[q]!++
      return 0
    }
    add(q, i, d)
    // the list of version 1 names all destinations of the congested output, and not all of them go this way
    const base = outerRouter[router[q]!]! * N
    for (let w = 0; w < W; w++)
      for (let m = outList[far * W + w]!; m !== 0; m &= m - 1) {
        const z = (w << 5) + low(m)
        if (table!.ports[base + z] === o) add(q, i, z)
      }
    return i + 1
  }

  /** Version 2: d joins a line of this switch's own congested output, or a new one. */
  function detectShort(q: number, d: number, o: number, t: number): number {
    for (let i = 0; i < L; i++) {
      const line = q * L + i
      if (lineOn[line] !== 0 && lineHops[line] === 0 && lineOut[line] === o && lineLength[line]! < LIST && add(q, i, d)) return i + 1
    }
    const i = born(q, o, 0, o, 0, t)
    if (i < 0) refused[q]!++
    else add(q, i, d)
    return i + 1
  }

  /** Version 1: all destinations that the table sends to output o. */
  function detectWhole(q: number, o: number, t: number): number {
    const i = born(q, o, 0, o, 0, t)
    if (i < 0) {
      refused[q]!++
      return 0
    }
    const base = outerRouter[router[q]!]! * N
    for (let z = 0; z < N; z++) if (table!.ports[base + z] === o) add(q, i, z)
    return i + 1
  }

  return { lineFor }
}
