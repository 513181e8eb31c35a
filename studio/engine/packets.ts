// Packets that are followed: found by name, looked at after every cycle, until they are gone. The run stands where it stood afterwards.
import { Journey } from "../../src/run/sight/journey.ts"
import type { Seen, Sight, Whereabouts } from "../../src/run/sight/sight.ts"
import type { PacketName } from "../shared/messages.ts"
import type { Fate, Placed } from "../shared/parting.ts"
import type { Live } from "./live.ts"

/** cycles that a packet is followed at most, and looked for after the cycle in which somebody asks */
const MOST = 4000
const MOST_LATER = 400

export function isIt(sight: Sight, id: number, { key, from, born }: PacketName): boolean {
  const seen = sight.packet(id)
  return seen?.key === key && seen.from === from && seen.born === born
}

export function findPacket(sight: Sight, name: PacketName): Seen | undefined {
  let found: Seen | undefined
  sight.places((id) => {
    if (found === undefined && isIt(sight, id, name)) found = sight.packet(id)
  })
  return found
}

/** Looks at it cycle by cycle, from where the run stands; `more` is asked before each. Answers where it was last, and its record. */
export function followed(
  live: Live,
  name: PacketName,
  journey: Journey,
  entered: number,
  more: (at: Whereabouts | undefined) => boolean,
): { at: Whereabouts | undefined; id: number } {
  const { sight } = live
  const { graph } = sight.topology
  let before = entered
  let id = -1
  let at: Whereabouts | undefined
  while (more(at) && !live.ended) {
    live.forward(live.now + 1)
    at = undefined
    sight.places((p, where) => {
      if (id >= 0 ? p !== id : !isIt(sight, p, name)) return
      id = p
      // a long packet stands in several queues: its head is in the router that was reached last
      if (where.at === "wire" || (at?.at !== "wire" && graph.routerOf[where.chan] === journey.stays.at(-1)!.router)) at = where
    })
    // packets of the packet engine leave between two cycles
    journey.look(live.now, at, Math.max(0, live.now - before))
    before = Math.max(before, live.now)
  }
  return { at, id }
}

/** Every packet that can be seen, and where it is. */
export function placesNow(sight: Sight): Placed[] {
  const found = new Map<number, Placed>()
  sight.places((id, where) => {
    const seen = sight.packet(id)
    if (seen === undefined || seen.control) return
    const at = where.at === "wire" ? `wire ${where.input}` : `${where.at} ${where.chan}`
    const before = found.get(id)?.at
    const { key, from, to, born } = seen
    found.set(id, { key, from, to, born, at: before === undefined ? at : [before, at].sort().join(", ") })
  })
  return [...found.values()]
}

export function fateOf(live: Live, name: PacketName, since: number): Fate | undefined {
  const { sight } = live
  const stood = live.now
  try {
    live.seek(since)
    let seen = findPacket(sight, name)
    while (seen === undefined && live.now < stood + MOST_LATER && !live.ended) {
      live.forward(live.now + 1)
      seen = findPacket(sight, name)
    }
    if (seen === undefined) return undefined
    const journey = new Journey(sight.topology.graph, sight.pipeline, seen)
    live.seek(Math.floor(seen.entered))
    const end = Math.max(live.now, stood) + MOST
    // at the channel to its endpoint nothing can come before it any more: once it is not seen there, it has left
    let last: Whereabouts | undefined
    const { far } = sight.topology.graph
    const leaves = (at: Whereabouts | undefined) => at !== undefined && at.at !== "wire" && far[at.chan]! < 0
    const { at } = followed(live, name, journey, seen.entered, (where) => {
      if (where === undefined && leaves(last)) return false
      last = where ?? last
      return live.now < end
    })
    const way = journey.stays.map((s) => ({ label: sight.topology.label(s.router), since: s.since }))
    return { entered: seen.entered, way, ...(at === undefined && leaves(last) ? { left: live.now } : {}) }
  } finally {
    live.seek(stood)
  }
}
