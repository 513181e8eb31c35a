// Congestion detection of FBICM: determines the line of a packet. It is the line linked to the output line that lists
// the destination. Otherwise, if the normal queue exceeds the threshold, it is a line of the congested output of this
// switch.
import { lowest } from "../../../../core/bitset.ts"
import type { Lines } from "../columns.ts"
import type { LineState } from "../home.ts"
import type { Cascade } from "./cascade.ts"
import type { LineBook } from "./lines.ts"

export interface Detection {
  /**
   * Returns the line + 1 to which the head packet of the normal queue shall belong, if no line of input q owns its
   * destination; 0 = none.
   */
  lineFor(q: number, d: number, o: number, t: number): number
}

export function makeDetection(
  sharedState: LineState,
  s: Lines,
  { add, allocate, inList }: LineBook,
  { linked }: Cascade,
): Detection {
  const low = lowest
  const { site, ports, p: params, table } = sharedState
  const { PS, outerRouter } = site.layout
  const { router } = ports
  const {
    L,
    W,
    N,
    lineOn,
    lineHops,
    lineOut,
    lineLength,
    outHops,
    outPoint,
    outList,
    owner,
    outOwner,
    outLines,
    normal,
    refused,
  } = s
  const SHORT = params.scheme === "fbicm-2"
  const DETECT = params.detection === "off" ? Number.POSITIVE_INFINITY : (params.detect ?? 8)
  const LIST = SHORT ? (params.list ?? 8) : N
  const CASCADE = params.cascade ?? true

  function lineFor(q: number, d: number, o: number, t: number): number {
    const x = router[q] * PS + o
    const y = outLines[x] === 0 ? 0 : outOwner[x * N + d]
    // The downstream switch has reported this destination as congested.
    if (y !== 0) {
      const found = joinLinked(q, d, o, y, x, t)
      if (found !== 0) return found
    }
    // Otherwise the output of this switch is the congested point, if the normal queue is too long.
    if (normal[q] <= DETECT) return 0
    return SHORT ? detectShort(q, d, o, t) : detectWhole(q, o, t)
  }

  /** Returns a line + 1 that is linked to line y - 1 of the output and lists d; 0 if there is none and none is free. */
  function joinLinked(q: number, d: number, o: number, y: number, x: number, t: number): number {
    if (CASCADE) {
      const j = linked(q, o, y - 1)
      if (j >= 0 && inList(q * L + j, d)) {
        owner[q * N + d] = j + 1
        return j + 1
      }
      if (j >= 0 && add(q, j, d)) return j + 1
    }
    // No linked line exists, or its list is full: allocate one for the same congested point.
    const far = x * L + y - 1
    const i = allocate(q, o, outHops[far], outPoint[far], y, t)
    if (i < 0) {
      refused[q]++
      return 0
    }
    add(q, i, d)
    // The list of version 1 names all destinations of the congested output; only those that leave through output o are
    // added.
    const base = outerRouter[router[q]] * N
    for (let w = 0; w < W; w++)
      for (let m = outList[far * W + w]; m !== 0; m &= m - 1) {
        const z = (w << 5) + low(m)
        if (table!.ports[base + z] === o) add(q, i, z)
      }
    return i + 1
  }

  /** Version 2: d joins a line of the congested output of this switch, or a new one. */
  function detectShort(q: number, d: number, o: number, t: number): number {
    for (let i = 0; i < L; i++) {
      const line = q * L + i
      if (lineOn[line] !== 0 && lineHops[line] === 0 && lineOut[line] === o && lineLength[line] < LIST && add(q, i, d))
        return i + 1
    }
    const i = allocate(q, o, 0, o, 0, t)
    if (i < 0) refused[q]++
    else add(q, i, d)
    return i + 1
  }

  /** Version 1: a new line with all destinations that the routing table sends to output o. */
  function detectWhole(q: number, o: number, t: number): number {
    const i = allocate(q, o, 0, o, 0, t)
    if (i < 0) {
      refused[q]++
      return 0
    }
    const base = outerRouter[router[q]] * N
    for (let z = 0; z < N; z++) if (table!.ports[base + z] === o) add(q, i, z)
    return i + 1
  }

  return { lineFor }
}
