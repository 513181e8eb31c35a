// State digest of CAM lines, under keys that do not depend on the partitioning.
import type { StateDigest } from "../../../fabric/switch.ts"
import type { Lines } from "./columns.ts"

export function digestLines(s: Lines, d: StateDigest, q: number, key: number): void {
  for (let i = 0; i < s.L; i++) {
    const line = q * s.L + i
    if (s.lineOn[line] !== 0) {
      d.add(key ^ (0x51 + i), s.lineOut[line] * 65536 + s.lineHops[line] * 256 + s.lineNext[line], s.lineState[line])
      d.add(key ^ (0x51 + i), s.lineDue[line])
      for (let w = 0; w < s.W; w++) d.add(key ^ (0x51 + i), s.lineList[line * s.W + w], w)
    }
    if (s.outOn[line] === 0) continue
    d.add(key ^ (0x91 + i), s.outHops[line] * 2 + s.outStop[line])
    for (let w = 0; w < s.W; w++) d.add(key ^ (0x91 + i), s.outList[line * s.W + w], w)
  }
}
