// Rules that several switches have. Each switch lists those that hold for it, next to its own (SwitchModel.rules).
import { type Complaint, complain, type Rule } from "../core/complaint.ts"
import { unreadable } from "../model/routing.ts"
import type { CongestionLook, RoutingLook, TrafficLook } from "./switch-model.ts"
import { tableOf } from "./table.ts"

/** Returns the complaints with complete paths, from paths of the switch's keys. */
export function ofSwitch(complaints: readonly Complaint[]): Complaint[] {
  return complaints.map((c) => ({ ...c, path: pathOf(c.path) }))
}

function pathOf(key: string): string {
  return key === "" ? "network.switch" : `network.switch.${key}`
}

/** Packets must fit. `keys` limit their length; the limit is divided into `parts`, each of which must hold a packet. */
export function longestPacket(most: number, keys: readonly string[], parts = 1): Rule<TrafficLook> {
  const paths = keys.map(pathOf)
  const complaint = (path: string, flits: number) =>
    complain(
      path,
      `is ${flits} flits, but the switch accepts packets of at most ${most}`,
      `set ${paths.join(" and ")} to at least ${flits * parts}flits, or send shorter packets`,
    )
  return {
    reads: ["traffic.*.packet", "traffic.*.reply", ...paths],
    test: ({ given }) =>
      given.flatMap(({ path, longest, reply }) => [
        ...(longest > most ? [complaint(`${path}.packet`, longest)] : []),
        ...(reply > most ? [complaint(`${path}.reply`, reply)] : []),
      ]),
  }
}

/** The arbiters have one priority level. */
export function onePriority(key: string, fix: string): Rule<TrafficLook> {
  return {
    reads: ["traffic.*.priority", pathOf(key)],
    test: ({ plan: { levels } }) =>
      levels.length === 1
        ? []
        : [
            complain(
              pathOf(key),
              `supports one priority, but the traffic has ${levels.length}`,
              `${fix}, or give all classes one priority`,
            ),
          ],
  }
}

/** With bubble flow control, each VC must hold two packets. `reserve`: flits of a VC. */
export function twoPacketReserve(reserve: number, key: string): Rule<TrafficLook> {
  return {
    reads: ["network.routing.name", "traffic.*.packet", "traffic.*.reply", pathOf(key)],
    test({ given, routing }) {
      const most = Math.max(...given.map((s) => Math.max(s.longest, s.reply)))
      if (!routing.bubbles || reserve >= 2 * most) return []
      const says = `"${routing.name}" needs buffer space for 2 packets of ${most} flits, but a VC has ${reserve}`
      return [complain(pathOf(key), says, `set it to at least ${2 * most}flits`)]
    },
  }
}

/** The key lets packets change their VL at each port, so a ring of one VL does not stay one. */
export function noBubbles(key: string): Rule<TrafficLook> {
  return {
    reads: ["network.routing.name", pathOf(key)],
    test: ({ routing }) =>
      routing.bubbles
        ? [
            complain(
              pathOf(key),
              `"${routing.name}" needs packets that stay on one VL in a ring`,
              "remove it, or choose a routing without bubble flow control",
            ),
          ]
        : [],
  }
}

/** With bubble flow control, a buffer apart from those of the VCs must hold two packets. */
export function twoPacketBuffer(flits: number, key: string, maxPacket: number): Rule<RoutingLook> {
  const least = 2 * maxPacket
  const says =
    `${flits} flits are too few for two packets of ${maxPacket}: a packet that ` +
    "enters a ring must leave free space for another one"
  return {
    reads: ["network.routing.name", pathOf(key)],
    test: ({ routing }) =>
      routing.room === undefined || flits >= least
        ? []
        : [complain(pathOf(key), says, `set it to at least ${least}flits`)],
  }
}

/** Nothing is dropped, and there are no queues of outputs. */
export function noDrops(key: string, fix: string): Rule<CongestionLook> {
  return {
    reads: ["network.congestion.name", pathOf(key)],
    test({ congestion: { dropping, telemetry }, name }) {
      if (dropping === undefined && telemetry === undefined) return []
      const what = dropping === undefined ? "a queue for each output" : "a switch that drops packets"
      return [complain(pathOf(key), `"${name}" needs ${what}`, fix)]
    },
  }
}

/** The key lets packets lose their payload, so sources must send them again. */
export function repeats(key: string): Rule<CongestionLook> {
  return {
    reads: ["network.congestion.name", pathOf(key)],
    test: ({ congestion, name }) =>
      congestion.repeats === true
        ? []
        : [
            complain(
              pathOf(key),
              `"${name}" does not send trimmed packets again`,
              "leave it out, or set network.congestion to nscc, rccc or hpcc",
            ),
          ],
  }
}

/** The routing must be a function of the destination: one output of each router for each. */
export function tableRouting(key: string): Rule<RoutingLook> {
  return {
    reads: ["network.routing.name", pathOf(key)],
    test({ topology, routing, name, candidates, adaptive }) {
      const table = () => tableOf(routing, topology.graph, candidates, unreadable(name))
      if (!adaptive && table() !== undefined) return []
      return [
        complain(
          pathOf(key),
          `needs a table with one output for each destination, but "${name}" does not choose outputs only by the ` +
            "destination",
          "choose another scheme, or a deterministic routing such as tree.destination-digit",
        ),
      ]
    },
  }
}
