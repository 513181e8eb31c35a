// Follows packets: finds one by its identity and observes it after every cycle until it leaves. Afterwards the run is
// at the same cycle as before.

import type { Observation, Seen, Whereabouts } from "../../src/observe/observation.ts"
import { PacketTrace } from "../../src/observe/packet-trace.ts"
import type { Fate, Placed } from "../shared/divergence.ts"
import type { PacketName } from "../shared/messages.ts"
import type { Live } from "./live.ts"

/** Maximum number of cycles to follow a packet, and to search for it after the current cycle. */
const MOST = 4000
const MOST_LATER = 400

export function isIt(observation: Observation, id: number, { key, from, createdAt }: PacketName): boolean {
  const seen = observation.packet(id)
  return seen?.key === key && seen.from === from && seen.createdAt === createdAt
}

export function findPacket(observation: Observation, name: PacketName): Seen | undefined {
  let found: Seen | undefined
  observation.places((id) => {
    if (found === undefined && isIt(observation, id, name)) found = observation.packet(id)
  })
  return found
}

/**
 * Observes a packet cycle by cycle from the current cycle on. `more` is called before each cycle and returns false to
 * stop. Returns its last position and its record.
 */
export function followed(
  live: Live,
  name: PacketName,
  journey: PacketTrace,
  entered: number,
  more: (at: Whereabouts | undefined) => boolean,
): { at: Whereabouts | undefined; id: number } {
  const { observation } = live
  const { graph } = observation.topology
  let before = entered
  let id = -1
  let at: Whereabouts | undefined
  while (more(at) && !live.ended) {
    live.forward(live.now + 1)
    at = undefined
    observation.places((p, where) => {
      if (id >= 0 ? p !== id : !isIt(observation, p, name)) return
      id = p
      // A long packet occupies several queues. Its head is in the router that it reached last.
      if (where.at === "wire" || (at?.at !== "wire" && graph.routerOf[where.chan] === journey.stays.at(-1)!.router))
        at = where
    })
    // Packets of the packet engine leave between two cycles.
    journey.look(live.now, at, Math.max(0, live.now - before))
    before = Math.max(before, live.now)
  }
  return { at, id }
}

/** Returns every visible packet and its position. */
export function placesNow(observation: Observation): Placed[] {
  const found = new Map<number, Placed>()
  observation.places((id, where) => {
    const seen = observation.packet(id)
    if (seen === undefined || seen.control) return
    const at = where.at === "wire" ? `wire ${where.input}` : `${where.at} ${where.chan}`
    // The flits of one packet can be in several places; the positions are sorted to make them comparable.
    const before = found.get(id)?.at
    const { key, from, to, createdAt } = seen
    found.set(id, { key, from, to, createdAt, at: before === undefined ? at : [before, at].sort().join(", ") })
  })
  return [...found.values()]
}

/** Returns the path of a packet by re-simulation from cycle `since`; undefined if it does not appear. */
export function fateOf(live: Live, name: PacketName, since: number): Fate | undefined {
  const { observation } = live
  const stood = live.now
  try {
    live.seek(since)
    let seen = findPacket(observation, name)
    while (seen === undefined && live.now < stood + MOST_LATER && !live.ended) {
      live.forward(live.now + 1)
      seen = findPacket(observation, name)
    }
    if (seen === undefined) return undefined
    const journey = new PacketTrace(observation.topology.graph, observation.pipeline, seen)
    // Follow it from its injection on, because it may already have passed several routers.
    live.seek(Math.floor(seen.entered))
    const end = Math.max(live.now, stood) + MOST
    // At the channel to its endpoint no other packet can overtake it. When it is no longer visible there, it has left.
    let last: Whereabouts | undefined
    const { far } = observation.topology.graph
    const leaves = (at: Whereabouts | undefined) => at !== undefined && at.at !== "wire" && far[at.chan] < 0
    const { at } = followed(live, name, journey, seen.entered, (where) => {
      if (where === undefined && leaves(last)) return false
      last = where ?? last
      return live.now < end
    })
    const way = journey.stays.map((s) => ({ label: observation.topology.label(s.router), since: s.since }))
    return { entered: seen.entered, way, ...(at === undefined && leaves(last) ? { left: live.now } : {}) }
  } finally {
    live.seek(stood)
  }
}
