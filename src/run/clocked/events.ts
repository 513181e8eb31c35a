// Facts of all partitions as one list, ordered by cycle, kind and ints: the same for any number of partitions. Where a ring has lost rows, or all together
// are more than one ring has room for, the list is of the last whole cycles that one ring would hold.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { RING_OF_FACTS, ROW, rowsIn } from "../../fabric/facts.ts"
import type { Events } from "../../model/probe.ts"

type Written = {
  readonly columns: Pick<ClockedEngine["columns"], "facts" | "factRings">
  readonly constants: Pick<ClockedEngine["constants"], "watch">
  readonly parts: number
}

export function eventsOf({ columns, constants, parts }: Written): Events {
  const { facts, factRings } = columns
  const room = constants.watch.facts
  let from = 0
  for (let p = 0; p < parts; p++) from = Math.max(from, factRings[p * RING_OF_FACTS.size + RING_OF_FACTS.lost]!)
  let places: number[] = []
  for (let p = 0; p < parts; p++)
    for (let i = 0, at = p * room * ROW.size; i < rowsIn(room, factRings, p); i++, at += ROW.size) if (facts[at]! >= from) places.push(at)
  places.sort((x, y) => facts[x]! - facts[y]!)
  if (places.length > room) {
    // the last cycle that does not fit goes, and all before it
    from = facts[places[places.length - room - 1]!]! + 1
    places = places.filter((at) => facts[at]! >= from)
  }
  places.sort((x, y) => {
    for (let w: number = ROW.cycle; w < ROW.size; w++) if (facts[x + w] !== facts[y + w]) return facts[x + w]! - facts[y + w]!
    return 0
  })
  const word = (w: number) => Int32Array.from(places, (at) => facts[at + w]!)
  return { from, cycle: word(ROW.cycle), kind: word(ROW.kind), a: word(ROW.first), b: word(ROW.first + 1), c: word(ROW.first + 2) }
}
