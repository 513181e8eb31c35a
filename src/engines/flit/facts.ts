// Writes down what happens, where a probe asks for it: a row in the ring of the partition that is running. `ON` is a constant of every loop: where it is
// false nothing of this is called.
import { RING_OF_FACTS, ROW } from "../../fabric/facts.ts"
import type { counterColumns, TrafficConstants } from "../../fabric/flit.ts"

export interface Facts {
  readonly ON: boolean
  enter(part: number): void
  /** the cycle that runs from now on */
  tick(t: number): void
  /** something happens now */
  fact(kind: number, a: number, b: number, c: number): void
  /** something will have happened at the end of `cycle` */
  factAt(cycle: number, kind: number, a: number, b: number, c: number): void
}

export interface FactsSpec {
  readonly constants: Pick<TrafficConstants, "watch">
  readonly columns: Pick<ReturnType<typeof counterColumns>, "facts" | "factRings">
}

export function makeFacts({ constants, columns }: FactsSpec): Facts {
  const { facts, factRings } = columns
  const { facts: ROOM, kinds: KINDS } = constants.watch
  const { size: SIZE } = ROW
  const { size: RING, full: FULL, lost: LOST } = RING_OF_FACTS
  let ring = 0
  let first = 0
  let now = 0

  function enter(part: number): void {
    ring = part * RING
    first = part * ROOM * SIZE
  }

  function tick(t: number): void {
    now = t
  }

  function fact(kind: number, a: number, b: number, c: number): void {
    factAt(now, kind, a, b, c)
  }

  function factAt(cycle: number, kind: number, a: number, b: number, c: number): void {
    if (((KINDS >>> kind) & 1) === 0) return
    const n = factRings[ring]!
    const at = first + n * SIZE
    if (factRings[ring + FULL] !== 0) factRings[ring + LOST] = facts[at]! + 1
    facts[at] = now
    facts[at + 1] = cycle
    facts[at + 2] = kind
    facts[at + 3] = a
    facts[at + 4] = b
    facts[at + 5] = c
    if (n + 1 < ROOM) factRings[ring] = n + 1
    else {
      factRings[ring] = 0
      factRings[ring + FULL] = 1
    }
  }

  return { ON: ROOM > 0, enter, tick, fact, factAt }
}
